# Twin of recurrent.cpp: the same 28 cells in PyTorch, with the same labels.

# %% [1]
import torch
import torch.nn as nn
import torch.nn.functional as F

# %% [2]
torch.manual_seed(12)
T, B, C, H = 5, 3, 4, 6
x = torch.randn(T, B, C)
rnn = nn.RNN(C, H)
output, hidden = rnn(x)
print(output.shape, hidden.shape)
output[:2, 0].detach()

# %% [3]
print(torch.equal(output[-1], hidden[0]))
h = torch.zeros(B, H)
for t in range(T):
    h = torch.tanh(x[t] @ rnn.weight_ih_l0.t() + rnn.bias_ih_l0 + h @ rnn.weight_hh_l0.t() + rnn.bias_hh_l0)
print(torch.allclose(h, hidden[0], atol=1e-6))
h.detach()

# %% [4]
rectified = nn.RNN(C, H, nonlinearity="relu", bias=False)
output, hidden = rectified(x, torch.ones(1, B, H))
print(output.double().sum().detach())
hidden[0].detach()

# %% [5]
torch.manual_seed(13)
lstm = nn.LSTM(C, H)
output, (hidden, cell) = lstm(x)
print(output.shape, hidden.shape, cell.shape)
print(output.double().sum().detach())
cell[0].detach()


# %% [6]
def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    gates = x @ w_ih.t() + b_ih + h @ w_hh.t() + b_hh
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


# %% [7]
h, c = torch.zeros(B, H), torch.zeros(B, H)
for t in range(T):
    h, c = lstm_cell(x[t], h, c, lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, lstm.bias_hh_l0)
    print(t, h[0].detach())
print(torch.allclose(h, hidden[0], atol=1e-6), torch.allclose(c, cell[0], atol=1e-6))

# %% [8]
one_step = nn.LSTMCell(C, H)
h, c = one_step(x[0])
h, c = one_step(x[1], (h, c))
print(h.shape, c.shape)
c.detach()

# %% [9]
initial_h = torch.randn(1, B, H)
initial_c = torch.randn(1, B, H)
output, (hidden, cell) = lstm(x, (initial_h, initial_c))
print(output[0].double().sum().detach(), cell.double().sum().detach())
output[:, 1, :3].detach()

# %% [10]
learned = x.clone().requires_grad_()
output, (hidden, cell) = lstm(learned, (initial_h, initial_c))
output[-1].square().mean().backward()
print(lstm.weight_ih_l0.grad.norm(), lstm.weight_hh_l0.grad.norm())
print(torch.allclose(lstm.bias_ih_l0.grad, lstm.bias_hh_l0.grad))
print(learned.grad.norm(dim=(1, 2)) * 100)
learned.grad[-1] * 100

# %% [11]
torch.manual_seed(14)
deep = nn.LSTM(C, H, num_layers=2, bidirectional=True)
print(len(list(deep.parameters())), sum(p.numel() for p in deep.parameters()))
output, (hidden, cell) = deep(x)
print(output.shape, hidden.shape, cell.shape)
output[2, :, :8].detach()

# %% [12]
print(torch.equal(output[-1, :, :H], hidden[2]), torch.equal(output[0, :, H:], hidden[3]))
hidden[:, 0].detach()

# %% [13]
states = torch.randn(4, B, H)
output, (hidden, cell) = deep(x, (states, states * 0.5))
print(output.double().sum().detach(), hidden.double().sum().detach())
cell[3].detach()

# %% [14]
F.mse_loss(output, torch.ones(T, B, 2 * H)).backward()
print(deep.weight_ih_l0_reverse.grad.norm(), deep.weight_hh_l1.grad.norm())
deep.bias_ih_l0.grad[:5] * 100

# %% [15]
torch.manual_seed(15)
gru = nn.GRU(C, H)
output, hidden = gru(x)
print(output.shape, hidden.shape)
output[:, 1].detach()

# %% [16]
h = torch.zeros(B, H)
for t in range(T):
    i_r, i_z, i_n = (x[t] @ gru.weight_ih_l0.t() + gru.bias_ih_l0).chunk(3, dim=1)
    h_r, h_z, h_n = (h @ gru.weight_hh_l0.t() + gru.bias_hh_l0).chunk(3, dim=1)
    r = torch.sigmoid(i_r + h_r)
    z = torch.sigmoid(i_z + h_z)
    n = torch.tanh(i_n + r * h_n)
    h = (1 - z) * n + z * h
print(torch.allclose(h, hidden[0], atol=1e-6))
z.detach()

# %% [17]
cell_of_gru = nn.GRUCell(C, H)
h = cell_of_gru(x[0], torch.ones(B, H))
print(cell_of_gru(x[1], h).double().sum().detach())
h.detach()

# %% [18]
stacked = nn.GRU(C, H, num_layers=3, batch_first=True)
batch = x.transpose(0, 1).contiguous()
output, hidden = stacked(batch)
print(output.shape, hidden.shape)
output[1].detach()

# %% [19]
learned = batch.clone().requires_grad_()
output, hidden = stacked(learned, torch.full((3, B, H), 0.5))
(output[:, -1] ** 2).sum().backward()
print(stacked.weight_hh_l2.grad.norm(), stacked.weight_ih_l0.grad.norm())
learned.grad[0] * 10

# %% [20]
both_ways = nn.RNN(C, H, num_layers=1, bidirectional=True, batch_first=True)
output, hidden = both_ways(batch)
print(output.shape)
torch.cat([output[0, -1, :3], output[0, 0, 6:9]]).detach()

# %% [21]
print(torch.allclose(both_ways(batch[:1])[0], output[:1], atol=1e-6))
single, last = rnn(x[:, 0])
print(single.shape, last.shape)
last[0].detach()

# %% [22]
packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([5, 3, 2]))
print(packed.data.shape, packed.batch_sizes)
packed_output, (hidden, cell) = lstm(packed)
hidden[0].detach()

# %% [23]
padded, lengths = nn.utils.rnn.pad_packed_sequence(packed_output)
print(padded.shape, lengths)
padded[:, 1, :4].detach()

# %% [24]
rows = nn.utils.rnn.pad_sequence([x[:2, 0, 0], x[:4, 1, 0], x[:3, 2, 0]], batch_first=True)
rows

# %% [25]
dropped = nn.LSTM(C, H, num_layers=2, dropout=0.5)
torch.manual_seed(16)
output, state = dropped(x)
print(output.double().sum().detach())
dropped.eval()
output, state = dropped(x)
print(output.double().sum().detach())
output[0].detach()


# %% [26]
class Tagger(nn.Module):
    def __init__(self, words, channels, tags):
        super().__init__()
        self.embedding = nn.Embedding(words, channels)
        self.lstm = nn.LSTM(channels, 2 * channels, batch_first=True)
        self.linear = nn.Linear(2 * channels, tags)

    def forward(self, words):
        output, state = self.lstm(self.embedding(words))
        return self.linear(output)


# %% [27]
torch.manual_seed(17)
tagger = Tagger(10, 4, 3)
words = torch.randint(0, 10, (2, 6))
tags = words % 3
print(words)
tagger(words)[0].detach()

# %% [28]
optimizer = torch.optim.Adam(tagger.parameters(), lr=0.05)
for epoch in range(6):
    loss = F.cross_entropy(tagger(words).flatten(0, 1), tags.flatten())
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
    optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}, norm {norm.item():.3f}")
tagger(words).argmax(-1)
