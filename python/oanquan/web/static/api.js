// Asking the server: JSON in and out, one kind of error.

export class Refusal extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.faults = error.faults || [];
  }
}

async function request(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, { code: "no_connection", message: String(error) });
  }
  if (answer.ok) return answer;
  let said;
  try {
    said = (await answer.json()).error;
  } catch {
    said = { code: "unknown", message: answer.statusText };
  }
  throw new Refusal(answer.status, said);
}

function posting(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

export async function get(path) {
  return (await request(path, {})).json();
}

export async function post(path, body, signal) {
  return (await request(path, posting(body, signal))).json();
}

// Calls `each` with every line of JSON as it comes.
export async function stream(path, body, signal, each) {
  const reader = (await request(path, posting(body, signal))).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) each(JSON.parse(line));
  }
}
