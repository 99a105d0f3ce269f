export type Body = Readonly<Record<string, unknown>>;

/** `body` is empty where the answer is no JSON object. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
};

export type Call = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with the JSON content type. */
  readonly json?: unknown;
  /** Sent as it is, with no content type but that of `headers`. */
  readonly text?: string;
};

export const jsonType = { 'Content-Type': 'application/json' };

export const objectOf = (text: string): Body => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
};

const payloadOf = ({ headers, json, text }: Call): RequestInit => {
  if (json !== undefined) return { headers: { ...jsonType, ...headers }, body: JSON.stringify(json) };
  // Bytes and not text: fetch would give a text a content type of its own.
  if (text !== undefined) return { headers: { ...headers }, body: Buffer.from(text) };
  return { headers: { ...headers } };
};

export const send = async (base: string, method: string, path: string, call: Call = {}): Promise<Answer> => {
  const answer = await fetch(`${base}${path}`, { method, redirect: 'manual', ...payloadOf(call) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: objectOf(text) };
};

/** Status and body in one, to compare a refusal with all of its fields at once. */
export const verdict = ({ status, body }: Answer): Body => ({ status, ...body });
