export type EngineMode = 'simulated' | 'external' | 'live';
export type RateSourceName = 'kraken' | 'coinbase';
export type PhoneCheck = 'lenient' | 'strict';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type KafkaLogin = 'plain' | 'scram-sha-256' | 'scram-sha-512';

export type KafkaConfiguration = {
  readonly kind: 'kafka';
  readonly brokers: readonly string[];
  /** Undefined: in plain text. Without `ca` the authorities that Node knows are trusted. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly login: { readonly by: KafkaLogin; readonly username: string; readonly password: string } | undefined;
  /** Of topics that this service makes; undefined: the bus's own number, and the brokers' setting. */
  readonly partitions: number | undefined;
  readonly replication: number | undefined;
  /** Before the names of its topics and groups, where other installations use the brokers too. */
  readonly prefix: string;
};

/** From an amount of the coin on, so many blocks; or what the chain itself calls settled. */
export type ConfirmationStep = { readonly from: string; readonly need: number | 'safe' | 'finalized' };

/** The nodes of a coin, and what they have to say before a payment counts. */
export type ChainConfiguration = {
  readonly coin: 'BTC' | 'LTC' | 'ETH' | 'DASH' | 'MARS' | 'BCH';
  readonly nodeUrls: readonly string[];
  readonly login: { readonly user?: string; readonly password?: string; readonly cookieFile?: string };
  readonly network: string;
  readonly agree: number;
  readonly confirmations: readonly ConfirmationStep[];
  readonly headMaxAgeS: number;
  /** Decimal text of the coin. */
  readonly dust: string;
};

/** Of a person. */
export type OperatorRole = 'admin' | 'ops' | 'auditor';

/** Who knows the operator's people: an OpenID provider. */
export type ProviderConfiguration = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** Which claim says what somebody may do, and what each of its values means here. */
  readonly rolesClaim: string;
  readonly roles: ReadonlyMap<string, OperatorRole>;
  /** So long after its sign-in a session asks for another one: what the provider says of somebody holds no longer. */
  readonly recheckSeconds: number;
  /** Where operators reach the console. */
  readonly consoleUrl: string;
};

/** What the environment says, checked and sorted by subject. */
export type Configuration = {
  readonly http: { readonly host: string; readonly port: number };
  /** Where operators, engines, metrics and docs are served alone; undefined: beside the partners. */
  readonly operatorHttp: { readonly host: string; readonly port: number } | undefined;
  /** Whose word is taken for where a call came from. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly database:
    | { readonly kind: 'embedded' }
    /** Migrations run as the role of `migrationUrl`, which owns history; undefined: as the service's own. */
    | { readonly kind: 'server'; readonly url: string; readonly migrationUrl: string | undefined };
  /** The most of one process: for the log where Postgres keeps it, and for everything else. */
  readonly connections: { readonly log: number; readonly database: number };
  readonly eventStore: { readonly kind: 'postgres' } | { readonly kind: 'eventstoredb'; readonly url: string };
  readonly bus: { readonly kind: 'postgres' } | KafkaConfiguration;
  readonly engine: EngineMode;
  /** Which of `ENGINE`, `DEMO` and `EVENT_STORE` were set, and not left to their defaults. */
  readonly named: { readonly engine: boolean; readonly demo: boolean; readonly eventStore: boolean };
  /** All settings as they are in force; of a secret whether it is set. */
  readonly shown: readonly { readonly name: string; readonly value: string }[];
  /** The nodes of each coin that has some. */
  readonly chains: readonly ChainConfiguration[];
  /** Whether a deposit may count unconfirmed though every transaction can be replaced in practice. */
  readonly fastUnderFullRbf: 'allow' | 'refuse';
  /** Demonstration accounts, and addresses of a key that the first start makes and nobody holds. */
  readonly demo: boolean;
  /** Where players reach the pages behind their links; undefined: where this process listens. */
  readonly publicUrl: string | undefined;
  /** Who tells what coins cost; undefined: what goes with the engine. */
  readonly rateSources: readonly RateSourceName[] | undefined;
  /** Takes receipts by e-mail; undefined: e-mail is simulated. */
  readonly smtpUrl: string | undefined;
  /** How often who may do what in a minute; undefined: as often as he likes. */
  readonly rates: {
    readonly createsPerKey: number | undefined;
    readonly createsPerCasino: number | undefined;
    readonly createsPerAddress: number | undefined;
    readonly failuresPerKey: number | undefined;
    readonly failuresPerAddress: number | undefined;
    readonly linksPerAddress: number;
  };
  /** Whether a phone has to be a telephone number. */
  readonly phoneCheck: PhoneCheck;
  /** How many texts go out in an hour. */
  readonly textLimits: {
    readonly perNumber: number;
    readonly perPlayer: number;
    readonly perKey: number;
    readonly perCasino: number;
  };
  /** For how many days what is old is kept, which is no history. */
  readonly kept: {
    readonly deliveriesDays: number;
    readonly messagesDays: number;
    readonly tokensDays: number;
    readonly signalsDays: number;
  };
  /** How long after one seal of history the next one is made; 0: never by itself. */
  readonly sealEverySeconds: number;
  /** Whether what is dangerous at the console wants a second person; undefined: as this installation has it. */
  readonly fourEyes: boolean | undefined;
  /** Lets operators in at the console, beside tokens; undefined: tokens alone do. */
  readonly provider: ProviderConfiguration | undefined;
  readonly webhooks: { readonly allowPrivate: boolean };
  /** What the first start gives out; random ones are made where a value is missing. */
  readonly tokens: { readonly operator: string | undefined; readonly engine: string | undefined };
  readonly secretsKey: string | undefined;
  readonly logging: { readonly level: LogLevel };
};
