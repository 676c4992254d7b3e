"""Prints with PyTorch what its twin main.cpp prints."""
import torch

sevenths = torch.arange(6, dtype=torch.float).view(2, 3) / 7
text = repr(sevenths)
print(text)
print(f"t = {sevenths.to(torch.double) * 1e-5}")
print(f"loss {sevenths.sum():.3f}, or {sevenths.mean():>12.2e}")
print(f"{sevenths.shape} has {sevenths.numel()} elements")
print(repr(sevenths > 0.5))
print(torch.arange(100000).view(100, 1000))
print(torch.nn.Parameter(sevenths.clone()))

torch.set_printoptions(precision=2, edgeitems=1, sci_mode=False)
print(sevenths)
print(torch.arange(100000, dtype=torch.int).view(100, 1000))
torch.set_printoptions(profile="full")
print(torch.arange(1200, dtype=torch.short))
torch.set_printoptions(profile="default")
print(sevenths)
