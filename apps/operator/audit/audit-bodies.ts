import type { Finding, Job, Seal } from '#audit';
import { Flag, Int, Json, List, Nested, SentId, SentTime, Text, Time, Word } from '#door/fields';
import { PageBody } from '#door/lists';

export class FindingBody implements Finding {
  @Word(['chain', 'rows', 'totals', 'trail', 'seal'], 'What says so', 'rows')
  by!: Finding['by'];

  @Text('How it is not as it was written', 'it is not what history makes it')
  problem!: string;

  @Text.optional('In which history', 'deposit-1021')
  stream?: string;

  @Int.optional('At which event of it', 4)
  revision?: number;

  @Text.optional('In which table', 'deposits')
  table?: string;

  @Json.optional('In which row', { id: 1021 })
  key?: NonNullable<Finding['key']>;

  @Text.optional('In which field', 'entity_net_usd')
  field?: string;

  @Text.optional('What stands there, as text', '1.00', { nullable: true })
  found?: string | null;

  @Text.optional('What history makes it, as text', '100.00', { nullable: true })
  expected?: string | null;
}

export class CheckedDepositBody {
  @Int('How many its history has', 7)
  events!: number;

  @List(FindingBody, 'Breaks of its chain, and differences of its rows from the fold; empty: it is as it was written')
  findings!: readonly FindingBody[];

  @Flag('Its newest events are in no row yet', false)
  behind!: boolean;
}

export class NewVerificationBody {
  @SentTime.optional('Only histories with an event from then on', '2026-01-01T00:00:00Z')
  from?: string;

  @SentTime.optional('Only histories with an event up to then', '2026-02-01T00:00:00Z')
  to?: string;

  @SentId.optional('Only this deposit', 1021)
  deposit_id?: number;

  @SentId.optional('Number of a seal that what is verified is held against, too', 3)
  seal?: number;
}

class TrailBody implements NonNullable<Seal['trail']> {
  @Int('Its place', 108)
  place!: number;

  @Text('Its hash', '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752')
  hash!: string;
}

export class SealBody implements Seal {
  @Text('Its form', 'cointill seal 1')
  format!: Seal['format'];

  @Int('Counts from 1', 3)
  number!: number;

  @Time('When it was made', '2026-01-02T03:04:05.678Z')
  sealed_at!: string;

  @Text.orNull('The last place in the log that is under it', '00000000000000000812.00000000000000000031')
  position!: string | null;

  @Int('How many events are under it', 81_204)
  events!: number;

  @Int('How many histories', 9_120)
  streams!: number;

  @Text(
    'Of the Merkle tree over the ends of all histories',
    '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  )
  root!: string;

  @Nested.optional(TrailBody, 'The last entry of the audit trail; none: there was none, or the release sealed no trail')
  trail?: TrailBody;

  @Int('Places that were not as they had been written when it was made', 0)
  breaks!: number;

  @Text.orNull('SHA-256 of the seal before it', null)
  previous!: string | null;

  @Text('SHA-256 of the public key', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
  key!: string;

  @Text('Ed25519, over all the rest as canonical JSON', 'c2lnbmVk')
  signature!: string;
}

export class SealsBody extends PageBody {
  @List(SealBody, 'Newest first')
  seals!: readonly SealBody[];
}

export class PublicKeyBody {
  @Text('What signs', 'Ed25519')
  algorithm!: string;

  @Text('As PEM', '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n')
  public_key!: string;
}

class ProgressBody {
  @Int.optional('Looked at so far', 40_000)
  events?: number;

  @Int.optional('Looked at so far', 4_120)
  streams?: number;

  @Int.optional('Held against the fold so far', 12_000)
  rows?: number;
}

class ResultBody {
  @Int('How many were found in all', 0)
  findings!: number;

  @Int.optional('Histories whose newest events no projection has taken, and one more where the totals lack some', 0)
  behind?: number;

  @Nested.optional(SealBody, 'The seal that was made')
  seal?: SealBody;
}

export class JobBody implements Job {
  @Int('Of the job', 12)
  id!: number;

  @Word(['verify', 'seal'], 'What is done', 'verify')
  kind!: Job['kind'];

  @Json('What it was asked to look at', {})
  asked!: Job['asked'];

  @Text('Who asked', 'operator token 4')
  asked_by!: string;

  @Word(['waiting', 'running', 'done', 'failed'], 'How it stands', 'running')
  state!: Job['state'];

  @Nested(ProgressBody, 'How far it has come')
  progress!: ProgressBody;

  @List(FindingBody, 'The first thousand')
  findings!: readonly FindingBody[];

  @Nested.orNull(ResultBody, 'null until it is done')
  result!: Job['result'];

  @Time('When it was asked for', '2026-01-02T03:04:05.678Z')
  asked_at!: string;

  @Time.orNull('When it ended', null)
  ended_at!: string | null;
}

export class JobsBody extends PageBody {
  @List(JobBody, 'Newest first')
  jobs!: readonly JobBody[];
}
