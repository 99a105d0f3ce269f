import { urlWithoutQuery } from '#platform/secrets';

const SECRET = /secret|password/i;

const shown = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return withoutSecrets(value);
  if (SECRET.test(name)) return '(kept secret)';
  return name === 'url' ? urlWithoutQuery(value) : value;
};

/** What was sent, as others may see it. */
export const withoutSecrets = (sent: unknown): unknown => {
  if (Array.isArray(sent)) return sent.map(withoutSecrets);
  if (sent === null || typeof sent !== 'object') return sent ?? null;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, shown(name, value)]));
};
