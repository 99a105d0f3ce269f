import { List, Nested, Num, SentNested, SentText, SentWord, SentWords, Text, Time, Word, Words } from '#door/fields';
import { PageBody } from '#door/lists';
import { legacyCurrencies, tickers } from '#money';
import { affiliateStatuses } from '#partners';

export class LegacySettingsBody {
  @SentText.orNull('Where the partner sells', 'northern', { max: 255 })
  subdomain?: string | null;

  @SentText.orNull('URL of an image', 'https://northern.example/logo.png', { max: 2048 })
  logo?: string | null;

  @SentWord.orNull(legacyCurrencies, 'Which is shown first', 'BTC')
  default_coin?: string | null;

  @SentWords.orNull(legacyCurrencies, 'Which it offers', ['BTC', 'LTC'])
  cryptos?: string[] | null;
}

class AffiliateFields {
  @SentWords.orNull(tickers, 'Default: all')
  currencies?: string[] | null;

  @SentWord.byDefault('enabled', affiliateStatuses, 'disabled, archived: its keys are refused with 403')
  status?: (typeof affiliateStatuses)[number];

  @SentNested.orNull(LegacySettingsBody, 'For the older interface')
  legacy?: LegacySettingsBody | null;
}

export class NewAffiliateBody extends AffiliateFields {
  @SentText('What it is called', 'Northern Lights Gaming', { min: 1, max: 255 })
  name!: string;
}

export class AffiliateChangesBody extends AffiliateFields {
  @SentText.optional('What it is called', 'Northern Lights Gaming', { min: 1, max: 255 })
  name?: string;
}

export class AffiliateBody {
  @Num('Its id', 3)
  id!: number;

  @Text('What it is called', 'Northern Lights Gaming')
  name!: string;

  @Words(tickers, 'Which it may take; those that are switched off for everyone stay off', ['BTC', 'LTC', 'ETH'])
  currencies!: string[];

  @Word(affiliateStatuses, 'disabled, archived: its keys are refused with 403', 'enabled')
  status!: string;

  @Nested.orNull(LegacySettingsBody, 'For the older interface; null: not set up', null)
  legacy!: LegacySettingsBody | null;

  @Time('When it was made', '2026-01-02T03:04:05.678Z')
  created_at!: string;
}

export class AffiliatesBody extends PageBody {
  @List(AffiliateBody, 'A page of them')
  affiliates!: AffiliateBody[];
}
