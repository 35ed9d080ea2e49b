// The data of the page.

const data = JSON.parse(document.getElementById("run").textContent);
