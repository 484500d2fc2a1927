"""`triton.backends.compiler`: the description of a target."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class GPUTarget:
    """Vendor ("cpu", "cuda", "hip"), architecture (a number or a name) and lanes per warp (1 where there are none)."""
    backend: str
    arch: object
    warp_size: int
