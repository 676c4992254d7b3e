"""Has of PyTorch what a Python needs that runs a notebook without tensors. It starts ten times as fast."""
import types


class Tensor:
    """Nothing is one."""


__version__ = "2.0.0"
__config__ = types.SimpleNamespace(show=lambda: "a fake")
dtype = device = Tensor
nn = types.SimpleNamespace(Module=Tensor, Parameter=Tensor)
optim = types.SimpleNamespace(Optimizer=Tensor)
random = types.SimpleNamespace(get_rng_state=lambda: types.SimpleNamespace(tolist=list))
default_generator = types.SimpleNamespace(manual_seed=lambda seed: None)
get_num_threads = int
get_default_dtype = str
is_grad_enabled = bool
_tensor_str = types.SimpleNamespace(PRINT_OPTS=types.SimpleNamespace())
save = None
