// Asks the server. The token comes with the link, after `#`, which no browser sends; it goes along in a header, which no
// page of another site can set.
const TOKEN = "ragset-review/token";
const SECONDS = 20;

if (location.hash.length > 1) {
  localStorage.setItem(TOKEN, decodeURIComponent(location.hash.slice(1)));
  history.replaceState(null, "", location.pathname);
}

// `status` is 0 where nobody answered.
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const ask = async (path, body, seconds = SECONDS) => {
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${localStorage.getItem(TOKEN) ?? ""}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(seconds * 1000),
    });
  } catch {
    throw new Refusal(0, "The server does not answer.");
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, said.detail ?? `The server answered ${answer.status}.`);
  return said;
};

export const pause = (seconds) => new Promise((then) => setTimeout(then, seconds * 1000));
