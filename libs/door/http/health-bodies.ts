import { Flag, List, Text, Word } from '../fields/index.ts';

export class LiveBody {
  @Word(['live'], 'The process runs', 'live')
  status!: 'live';
}

class CheckBody {
  @Text('What has to be there', 'database')
  name!: string;

  @Flag('It is', true)
  ok!: boolean;

  @Text.optional('Why it is not')
  detail?: string;
}

export class ReadyBody {
  @Word(['ready', 'not ready'], 'Whether everything can be served', 'ready')
  status!: 'ready' | 'not ready';

  @List(CheckBody, 'What was looked at')
  checks!: readonly CheckBody[];

  @List.optional(String, 'What somebody has to look at, though everything else can be served')
  alarms?: readonly string[];

  @List.optional(String, 'What is weaker than it could be')
  warnings?: readonly string[];

  @List.optional(String, 'What is played and not real', ['SMS', 'e-mail'])
  simulated?: readonly string[];
}
