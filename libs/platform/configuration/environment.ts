import { isStrong } from '#platform/strength';
import { Must, OneOf, OrEmpty, SetWhere } from './must.ts';
import { ProviderEnvironment } from './provider-environment.ts';
import { Secret } from './secret.ts';
import { isCount, isHost, isNetwork, isPort, isUrlOf, rateSourcesOf, wordsOf } from './shapes.ts';

const Count: PropertyDecorator = Must({
  must: 'be a whole number from 1 to 1000000',
  holds: (text) => isCount(text, 1_000_000),
});

/** Less would take away what a partner may still ask about, or what keeps a message from being sent twice. */
const Days: PropertyDecorator = Must({
  must: 'be a whole number from 90 to 36500',
  holds: (text) => isCount(text, 36_500, 90),
});

const MaybeCount: PropertyDecorator = Must({
  must: 'be empty (no limit) or a whole number from 1 to 1000000',
  holds: (text) => text === '' || isCount(text, 1_000_000),
});

/** Whoever guesses one is an operator, or reads every secret that is stored. */
const Strong: PropertyDecorator = Must({
  must: 'have at least 128 bits: openssl rand -hex 32 makes one that has',
  holds: (text) => text === '' || isStrong(text),
});

/** The settings as text, by their names in the environment; a default stands for what is unset or empty. */
export class Environment extends ProviderEnvironment {
  @Must({ must: 'be a whole number from 0 to 65535', holds: isPort })
  PORT = '3000';

  @Must({ must: 'be an address or a host name of this machine', holds: isHost })
  HOST = '127.0.0.1';

  @OrEmpty({ must: 'a whole number from 0 to 65535', holds: isPort })
  @Must({
    must: 'differ from PORT',
    holds: (text, { PORT }) => text === '0' || text !== PORT,
  })
  @SetWhere('OPERATOR_HOST')
  OPERATOR_PORT = '';

  @OrEmpty({ must: 'an address or a host name of this machine', holds: isHost })
  OPERATOR_HOST = '';

  @Must({
    must: 'be empty or a list of addresses and networks like 10.0.0.7,10.1.0.0/16',
    holds: (text) => wordsOf(text).every(isNetwork),
  })
  TRUSTED_PROXIES = '';

  @Must({ must: 'be a path without a NUL character', holds: (text) => !text.includes('\0') })
  DATA_DIR = '.data';

  @OneOf('simulated', 'external', 'live')
  ENGINE = 'simulated';

  @OneOf('allow', 'refuse')
  FAST_UNDER_FULL_RBF = 'allow';

  @Must({ must: 'be true or false', holds: (text) => ['', 'true', 'false'].includes(text) })
  DEMO = '';

  // The path of a link is put behind it, and would be lost in either of the two.
  @OrEmpty({
    must: 'a URL like https://pay.example without a query or fragment',
    holds: (text) => isUrlOf(text, ['http:', 'https:']) && !/[?#]/.test(text),
  })
  PUBLIC_URL = '';

  @OrEmpty({ must: 'a list of kraken and coinbase', holds: (text) => rateSourcesOf(text) !== undefined })
  RATE_SOURCES = '';

  @Secret
  @Must({
    must: 'be empty (e-mail is simulated) or a URL like smtp://user:password@host:587?from=receipts@casino.example',
    holds: (text) => text === '' || isUrlOf(text, ['smtp:', 'smtps:']),
  })
  SMTP_URL = '';

  @MaybeCount
  CREATES_PER_KEY = '';

  @MaybeCount
  CREATES_PER_CASINO = '';

  @MaybeCount
  CREATES_PER_ADDRESS = '';

  @MaybeCount
  FAILURES_PER_KEY = '';

  @MaybeCount
  FAILURES_PER_ADDRESS = '';

  @Count
  LINKS_PER_ADDRESS = '120';

  @OneOf('lenient', 'strict')
  PHONE_CHECK = 'lenient';

  @Count
  SMS_PER_NUMBER = '30';

  @Count
  SMS_PER_PLAYER = '20';

  @Count
  SMS_PER_KEY = '600';

  @Count
  SMS_PER_CASINO = '1000';

  @Days
  KEEP_DELIVERIES_DAYS = '400';

  @Days
  KEEP_MESSAGES_DAYS = '400';

  @Days
  KEEP_TOKENS_DAYS = '400';

  @Days
  KEEP_SIGNALS_DAYS = '400';

  @Must({ must: 'be seconds, 0 for never', holds: (text) => /^\d{1,8}$/.test(text) })
  SEAL_EVERY = '86400';

  @Must({ must: 'be true or false', holds: (text) => ['', 'true', 'false'].includes(text) })
  FOUR_EYES = '';

  @OneOf('true', 'false')
  WEBHOOK_ALLOW_PRIVATE = 'false';

  @Secret
  @Strong
  @Must({ must: 'be printable ASCII without spaces', holds: (text) => /^[!-~]*$/.test(text) })
  OPERATOR_TOKEN = '';

  @Secret
  @Strong
  @Must({ must: 'be printable ASCII without spaces', holds: (text) => /^[!-~]*$/.test(text) })
  @Must({
    must: 'differ from OPERATOR_TOKEN, because a token has one role',
    holds: (text, { OPERATOR_TOKEN }) => text === '' || text !== OPERATOR_TOKEN,
  })
  ENGINE_TOKEN = '';

  /** Any text: what is used is derived from it. */
  @Secret
  @Strong
  SECRETS_KEY = '';

  @OneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
  LOG_LEVEL = 'info';
}
