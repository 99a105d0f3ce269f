import { Int, List, Num, SentWord, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';
import { type EndpointState, type EndpointView, endpointStates } from '#webhooks';

export class EndpointsQuery extends PageQuery {
  @SentWord.optional(endpointStates, 'failing: the last attempt was not answered 2xx')
  state?: EndpointState;
}

class EndpointBody implements EndpointView {
  @Text('Whose setting it is', 'entity 41')
  endpoint!: string;

  @Num.orNull("null: it is an API key's", 41)
  entity_id!: number | null;

  @Num.orNull("null: it is a casino's", null)
  api_key_id!: number | null;

  @Text('Where the last attempt went', 'https://casino.example/hooks/deposits')
  url!: string;

  @Word(endpointStates, 'failing: the last attempt was not answered 2xx; it has one attempt at a time', 'ok')
  state!: EndpointState;

  @Time.orNull('The first failure after the last success', null)
  failing_since!: string | null;

  @Time.orNull('When an attempt that was answered 2xx began', '2026-01-02T03:04:05.678Z')
  last_success_at!: string | null;

  @Time.orNull('When one that was not began', null)
  last_failure_at!: string | null;

  @Text.orNull('What came of that one', 'status 503')
  last_failure!: string | null;

  @Int('Deliveries that are not done; counted up to 1000', 0)
  waiting!: number;

  @Int('Deliveries that were given up; counted up to 1000', 0)
  dead!: number;

  @Time.orNull('When the oldest of those that were counted as waiting became due', null)
  oldest_waiting_at!: string | null;

  @Time.orNull('When the next of them is due', null)
  next_attempt_at!: string | null;
}

export class EndpointsBody extends PageBody {
  @List(EndpointBody, 'A page of them, those that began first')
  endpoints!: readonly EndpointBody[];
}
