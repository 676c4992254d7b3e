# The twin of excepted.cpp.

# %% [1]
import torch

print("one")

# %% [2]
print("printed by C++")

# %% [3]
torch.tensor(0.5)

# %% [4]
"a picture"

# %% [5]
import a_tokenizer_that_is_not_installed

# %% [6]
print("six")

# %% [7]
print("seven")

# %% [8]
print("eight")

# %% [9]
print("nine")

# %% [10]
"a picture"
