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

/** The codes that the interface names: each belongs to its error, and these errors alone have to have one. */
const named = new Set<unknown>([
  ...['fast_deposit_unconfirmed', 'instant_over_cap', 'instant_received_over_cap'],
  ...[
    'ofac_screen_pending',
    'ofac_sanctioned',
    'late_payment_requires_current_rate',
    'late_payment_no_received_amount',
  ],
  ...['late_payment_received_precision', 'late_payment_rate_unavailable'],
]);

/** Status and body in one, to compare a refusal with all of its fields at once; codes beyond the interface are extra. */
export const verdict = ({ status, body: { code, ...body } }: Answer): Body => ({
  status,
  ...body,
  ...(named.has(code) ? { code } : {}),
});
