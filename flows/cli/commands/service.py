"""Commands that start and end the service, and deploy to a server."""

from flows.cli.commands.running import DONE, guarded


@guarded
def run_serve(
    ports: tuple[int | None, int | None, int | None], workers: int, limits: tuple[int | None, int | None]
) -> int:
    """`serve`."""
    from flows.deploy.deployments import Limits
    from flows.deploy.service.parts import AskedPorts
    from flows.deploy.service.running import serve
    from flows.deploy.service.showing import print_service

    port, reports_port, milvus_port = ports
    asked = AskedPorts(prefect=port, reports=reports_port, milvus=milvus_port)
    print_service(serve(asked, workers, Limits(*limits)))
    return DONE


@guarded
def run_stop() -> int:
    """`stop`."""
    from flows.deploy.service.running import stop
    from flows.deploy.service.showing import print_stopped

    print_stopped(stop())
    return DONE


@guarded
def run_deploy(limits: tuple[int | None, int | None]) -> int:
    """`deploy`."""
    from flows.deploy.deployments import Limits, deploy
    from flows.deploy.service.showing import print_deployed

    print_deployed(deploy(Limits(*limits)))
    return DONE
