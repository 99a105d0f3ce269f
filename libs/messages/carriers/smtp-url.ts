/** `required` gives up before it sends anything in the clear, `off` does not even try. */
const tlsModes = ['opportunistic', 'required', 'off'] as const;

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte: smtps. */
  readonly secure: boolean;
  readonly tls: (typeof tlsModes)[number];
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly from: string;
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

const parsedUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const isAddress = (text: string): boolean =>
  /^[^\s@]+@[^\s@]+$/.test(text) || /^[^<>\r\n]+<[^\s@]+@[^\s@]+>$/.test(text);

/** `smtp://user:password@host:587?from=receipts@casino.example&tls=required`; undefined when it is not such a URL. */
export const parseSmtpUrl = (text: string): SmtpSettings | undefined => {
  const url = parsedUrl(text);
  const defaultPort = url && DEFAULT_PORTS[url.protocol];
  if (!url || defaultPort === undefined || url.hostname === '') return undefined;
  const from = url.searchParams.get('from') ?? '';
  const tls = tlsModes.find((mode) => mode === (url.searchParams.get('tls') ?? 'opportunistic'));
  if (!tls || !isAddress(from)) return undefined;
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || pass === undefined) return undefined;
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? defaultPort : Number(url.port),
    secure: url.protocol === 'smtps:',
    tls,
    login: user === '' ? undefined : { user, pass },
    from,
  };
};
