// Of pages that `torchbook site --watch` writes: loads stamp.js again and again, and the page when the stamp is another.
// A page that was opened as a file may load no file but a script.
"use strict";

{
  const between_looks = 500; // ms
  let first;
  let outdated = false;
  window.torchbookStamp = (stamp) => {
    first ??= stamp;
    outdated = stamp !== first;
    if (outdated) location.reload(); // the browser keeps the position
  };
  const look = () => {
    const script = document.createElement("script");
    script.src = `stamp.js?${Date.now()}`;
    script.onload = script.onerror = () => {
      script.remove();
      if (!outdated) setTimeout(look, between_looks);
    };
    document.head.append(script);
  };
  look();
}
