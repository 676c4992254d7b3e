import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
x = torch.rand(64, 3)  # (batch, features)
y = (x.sum(1, keepdim=True) > 1.5).float()
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(3, 8), nn.GELU(), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.1)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=20)
for epoch in range(5):
    total = 0.0
    for features, target in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(features), target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.item() * len(features)
    print(epoch, total / len(x), schedule.get_last_lr())
torch.save({"model": model.state_dict(), "optim": optimizer.state_dict(), "epoch": 5}, "checkpoint.pth")
print(torch.load("checkpoint.pth")["model"]["2.weight"])
