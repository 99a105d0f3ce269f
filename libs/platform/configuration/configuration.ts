export type EngineMode = 'simulated' | 'external' | 'live';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** What the environment says, checked and sorted by subject. */
export type Configuration = {
  readonly http: { readonly host: string; readonly port: number };
  readonly dataDir: string;
  readonly database: { readonly kind: 'embedded' } | { readonly kind: 'server'; readonly url: string };
  readonly eventStore: { readonly kind: 'postgres' } | { readonly kind: 'eventstoredb'; readonly url: string };
  readonly bus: { readonly kind: 'postgres' } | { readonly kind: 'kafka'; readonly brokers: readonly string[] };
  readonly engine: EngineMode;
  readonly webhooks: { readonly allowPrivate: boolean };
  /** What the first start gives out; random ones are made where a value is missing. */
  readonly tokens: { readonly operator: string | undefined; readonly engine: string | undefined };
  readonly secretsKey: string | undefined;
  readonly logging: { readonly level: LogLevel };
};
