const pure = ['money', 'deposits', 'legacy-transactions', 'csv'];

/** The floors of the house, from the ground up: what each lib may use of the others. A new lib has to say it here. */
const mayUse = {
  platform: [],
  money: [],
  csv: [],
  deposits: ['money'],
  'legacy-transactions': ['money', 'deposits'],
  'event-log': ['platform'],
  bus: ['platform'],
  messages: ['platform'],
  limits: ['platform'],
  inbox: ['platform'],
  instances: ['platform'],
  partners: ['platform', 'money', 'deposits'],
  currencies: ['platform', 'money', 'partners'],
  rates: ['platform', 'money', 'partners'],
  addresses: ['platform', 'money', 'partners'],
  chains: ['platform', 'money'],
  kyc: ['platform', 'limits', 'partners', 'messages'],
  'deposit-commands': ['platform', ...pure, 'event-log', 'partners'],
  'legacy-commands': ['platform', ...pure, 'event-log', 'partners', 'deposit-commands'],
  counters: ['platform', ...pure, 'event-log', 'partners', 'addresses', 'deposit-commands'],
  'read-models': ['platform', ...pure, 'event-log', 'deposit-commands', 'legacy-commands'],
  engine: ['platform', ...pure, 'event-log', 'bus', 'deposit-commands', 'legacy-commands', 'read-models'],
  watch: ['platform', 'money', 'addresses', 'chains'],
  receipts: ['platform', 'money', 'deposits', 'event-log', 'messages', 'kyc', 'deposit-commands', 'read-models'],
  audit: ['platform', ...pure, 'event-log', 'partners', 'deposit-commands', 'legacy-commands', 'read-models'],
  webhooks: ['platform', ...pure, 'event-log', 'bus', 'partners', 'deposit-commands', 'legacy-commands'],
};

/** The two topmost: what every app stands on, and the door that every app is reached through. */
mayUse.ground = Object.keys(mayUse);
mayUse.door = Object.keys(mayUse);

module.exports = { pure, mayUse };
