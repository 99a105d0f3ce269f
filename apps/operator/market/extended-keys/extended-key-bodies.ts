import { List, Num, SentText, Text, Word } from '#door/fields';

const XPUB = 'zpub-of-an-account-of-your-own-wallet';

export class NewExtendedKeyBody {
  @SentText(
    'xpub, zpub or Ltub give native SegWit addresses of BTC and LTC, ypub or Mtub nested ones; the others take xpub, DASH drkv too',
    XPUB,
    { min: 1, max: 200 },
  )
  xpub!: string;

  @SentText.orNull('Whose it is, or its path in the wallet', "m/84'/0'/0'", { max: 255 })
  note?: string | null;
}

export class ExtendedKeyBody {
  @Text('Which coin', 'BTC')
  ticker!: string;

  @Text('Public: nothing can be spent with it', XPUB)
  xpub!: string;

  @Word(['first start', 'operator'], 'Who made it', 'operator')
  origin!: string;

  @Text.orNull('Whose it is, or its path in the wallet', "m/84'/0'/0'")
  note!: string | null;

  @Num('The next address is derived at 0/ and this', 120)
  next_index!: number;

  @Text(
    'At 0/0: hold it against the first receiving address that the wallet shows',
    'bc1q-the-first-address-of-that-account',
  )
  first_address!: string;
}

export class ExtendedKeysBody {
  @List(ExtendedKeyBody, 'All of them')
  extended_keys!: readonly ExtendedKeyBody[];
}
