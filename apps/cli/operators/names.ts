/** What is typed for an operation of the service, and what the document does not say of it. */
export type Named = {
  readonly words: string;
  /** It cannot be taken back: the word that has to be typed; `when` it is sent with this alone, `unless` with this. */
  readonly word?: string;
  readonly when?: Readonly<Record<string, unknown>>;
  readonly unless?: Readonly<Record<string, unknown>>;
  /** Sent without being asked for. */
  readonly sends?: Readonly<Record<string, unknown>>;
  /** Of a table that would be too wide. */
  readonly columns?: readonly string[];
  /** How a cell is told that is no plain value. */
  readonly cells?: Readonly<Record<string, (value: unknown) => string>>;
  /** The lists in its answer that are empty where all is well: else it ends with 1. */
  readonly finds?: readonly string[];
  /** A parameter of the query that is typed without its name, in as many words as it has. */
  readonly typed?: string;
};

type Owner = { readonly address: string | null; readonly since: string } | null;
type Failure = { readonly reason: string } | null;

const deposits = ['id', 'created_at', 'entity_id', 'gambler_ref', 'currency', 'usd_amount', 'status', 'decision'];

export const names: Readonly<Record<string, Named>> = {
  describeInstallation: { words: 'installation' },
  listInstances: {
    words: 'instances',
    columns: ['host', 'pid', 'apps', 'version', 'started_at', 'seen_at', 'alive'],
    cells: { apps: (apps) => (apps as readonly string[]).join(', ') },
  },
  readStats: { words: 'stats' },
  listCasinoNames: { words: 'casinos' },
  describeMe: { words: 'whoami' },
  readInbox: { words: 'inbox' },
  readPulse: { words: 'pulse' },
  search: { words: 'search', typed: 'q' },
  listApprovals: { words: 'approvals list' },
  getApproval: { words: 'approvals show' },
  approve: { words: 'approvals approve', word: 'approve' },
  refuseApproval: { words: 'approvals refuse' },

  listAffiliates: { words: 'accounts affiliates list' },
  getAffiliate: { words: 'accounts affiliates show' },
  createAffiliate: { words: 'accounts affiliates create' },
  changeAffiliate: { words: 'accounts affiliates change' },
  listEntities: {
    words: 'accounts casinos list',
    columns: ['id', 'affiliate_id', 'name', 'external_code', 'status', 'mode', 'no_conf_allowed', 'instant_allowed'],
  },
  getEntity: { words: 'accounts casinos show' },
  createEntity: { words: 'accounts casinos create' },
  changeEntity: { words: 'accounts casinos change' },
  rotateEntityWebhookSecret: { words: 'accounts casinos rotate-secret', word: 'rotate' },
  listAccessTokens: { words: 'accounts access-tokens list' },
  getAccessToken: { words: 'accounts access-tokens show' },
  issueAccessToken: { words: 'accounts access-tokens issue' },
  revokeAccessToken: { words: 'accounts access-tokens revoke', word: 'revoke', sends: { status: 'revoked' } },

  listApiKeys: { words: 'keys list' },
  getApiKey: { words: 'keys show' },
  createApiKey: { words: 'keys create' },
  changeApiKey: { words: 'keys change', word: 'revoke', when: { status: 'revoked' } },
  rotateApiKeyWebhookSecret: { words: 'keys rotate-secret', word: 'rotate' },

  listTokens: { words: 'tokens list' },
  getToken: { words: 'tokens show' },
  createToken: { words: 'tokens create' },
  revokeToken: { words: 'tokens revoke', word: 'revoke', sends: { status: 'revoked' } },

  listRates: { words: 'rates list' },
  pinRate: { words: 'rates pin' },
  unpinRate: { words: 'rates unpin' },
  listCurrencies: { words: 'currencies list' },
  switchCurrency: { words: 'currencies switch' },

  listAddressPools: { words: 'addresses list' },
  addAddresses: { words: 'addresses add' },
  setAddressPoolAvailable: { words: 'addresses set-available' },
  listExtendedKeys: { words: 'addresses extended-keys' },
  configureExtendedKey: { words: 'addresses configure', word: 'configure' },

  listPlayers: { words: 'players list' },
  setPlayer: { words: 'players set' },
  erasePlayer: { words: 'players erase', word: 'erase' },
  revealPlayer: { words: 'players reveal' },
  kycService: { words: 'players kyc-service' },
  setKycService: { words: 'players set-kyc-service' },
  listMessages: { words: 'messages list' },

  pageDeposits: { words: 'deposits list', columns: deposits },
  getDeposit: { words: 'deposits show' },
  depositEvents: { words: 'deposits events', columns: ['revision', 'occurred_at', 'type', 'data'] },
  checkDeposit: { words: 'deposits check', finds: ['findings'] },
  reviewKyt: { words: 'deposits review-kyt' },
  releaseReturn: { words: 'deposits release-return', word: 'release' },
  listSettlements: { words: 'settlements list' },
  releaseSettlement: { words: 'settlements release', word: 'release' },
  pageTransactions: { words: 'transactions list' },
  transactionEvents: { words: 'transactions events', columns: ['revision', 'occurred_at', 'type', 'data'] },
  settleTransaction: { words: 'transactions settle', word: 'settle' },
  eraseTransactionEmail: { words: 'transactions erase-email', word: 'erase' },
  listReturns: { words: 'returns list' },

  listWebhookDeliveries: {
    words: 'deliveries list',
    columns: ['id', 'created_at', 'event', 'deposit_id', 'transaction_id', 'status', 'next_attempt_at', 'url'],
  },
  getWebhookDelivery: { words: 'deliveries show' },
  redeliverWebhook: { words: 'deliveries redeliver' },
  stopReplay: { words: 'deliveries stop-replay' },
  replayWebhookDeliveries: { words: 'deliveries replay', word: 'replay', unless: { dry_run: true } },

  listWebhookEndpoints: {
    words: 'deliveries endpoints',
    columns: ['endpoint', 'state', 'failing_since', 'last_success_at', 'last_failure', 'waiting', 'dead', 'url'],
  },

  listChains: {
    words: 'chains list',
    columns: ['currency', 'height', 'hash', 'held', 'waiting', 'unconfirmed', 'unsent'],
  },
  rescanChain: { words: 'chains rescan' },
  listRescans: { words: 'chains rescans' },
  cancelRescan: { words: 'chains cancel-rescan', word: 'cancel' },

  listProjections: {
    words: 'projections list',
    columns: ['name', 'version', 'state', 'stopped', 'lag_events', 'lag_ms', 'owner', 'position', 'head', 'failure'],
    cells: {
      owner: (owner) => ((owner as Owner) ? ((owner as Owner)?.address ?? 'this machine') : 'nobody'),
      failure: (failure) => (failure as Failure)?.reason ?? '-',
    },
  },
  getProjection: { words: 'projections show' },
  projectionDifferences: { words: 'projections differences' },
  cancelRebuild: { words: 'projections cancel', word: 'cancel' },
  skipEvent: { words: 'projections skip', word: 'skip' },
  listLostEnds: { words: 'lost-ends list', finds: ['lost_ends', 'refused'] },
  acceptLostEnds: { words: 'lost-ends accept-all', word: 'accept' },
  acceptLostEnd: { words: 'lost-ends accept', word: 'accept' },

  listSignals: { words: 'signals list' },
  takeSignals: { words: 'signals send' },
  listScenarios: { words: 'simulate list' },
  simulate: { words: 'simulate play' },

  listAuditJobs: { words: 'audit jobs list', columns: ['id', 'kind', 'state', 'asked_by', 'asked_at', 'ended_at'] },
  getAuditJob: { words: 'audit jobs show' },
  listSeals: { words: 'audit seals list', columns: ['number', 'sealed_at', 'events', 'streams', 'breaks', 'root'] },
  getSeal: { words: 'audit seals show' },

  listAuditTrail: { words: 'audit-trail list' },
};
