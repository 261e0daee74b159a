"""Trains a tiny model one step on lists, and resolves the ids of the files for distillation."""

import json
import sys
from pathlib import Path

from datasets import Dataset, load_dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.models import StaticEmbedding
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from sentence_transformers.util.dataset import resolve_ids
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

folder = Path(sys.argv[1])


def table(path: Path) -> Dataset:
    return load_dataset("parquet", data_files=str(path), split="train", cache_dir=str(folder / "cache"))


own, late = folder / "sentence-transformers", folder / "pylate"
pairs, triplets, lists = (table(own / f"{name}.parquet") for name in ("pairs", "triplets", "lists"))

tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
texts = [text for row in lists for text in row.values()]
tokenizer.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=["[UNK]"]))
model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=16)], device="cpu")
before = model.encode(texts[0])
told = {
    "output_dir": str(folder / "run"),
    "max_steps": 2,
    "per_device_train_batch_size": 2,
    "batch_sampler": "no_duplicates",
    "report_to": "none",
    "save_strategy": "no",
    "learning_rate": 0.1,
    "warmup_steps": 0,
    "use_cpu": True,
}
trainer = SentenceTransformerTrainer(
    model=model,
    args=SentenceTransformerTrainingArguments(**told),
    train_dataset=lists,
    loss=MultipleNegativesRankingLoss(model),
)
loss = trainer.train().training_loss

distillation = table(late / "distillation.parquet")
lookups = {"query_id": table(late / "queries.parquet"), "document_ids": table(late / "documents.parquet")}
distillation.set_transform(resolve_ids(lookups))
print(
    json.dumps(
        {
            "pairs": pairs.to_list(),
            "triplets": triplets.to_list(),
            "lists": lists.to_list(),
            "columns": lists.column_names,
            "loss": loss,
            "moved": float(abs(model.encode(texts[0]) - before).max()),
            "distillation": [distillation[n] for n in range(len(distillation))],
        }
    )
)
