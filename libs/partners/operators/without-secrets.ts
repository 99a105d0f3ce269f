const SECRET = /secret|password/i;

/** What was sent, as others may see it. */
export const withoutSecrets = (sent: unknown): unknown => {
  if (Array.isArray(sent)) return sent.map(withoutSecrets);
  if (sent === null || typeof sent !== 'object') return sent ?? null;
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      SECRET.test(name) && typeof value === 'string' ? '(kept secret)' : withoutSecrets(value),
    ]),
  );
};
