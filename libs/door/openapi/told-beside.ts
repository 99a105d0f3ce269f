import type { Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;

/** What no route can say: the calls that the service itself makes. */
export type ToldBeside = {
  readonly webhooks?: NonNullable<OpenAPIObject['webhooks']>;
  readonly parameters?: NonNullable<Components['parameters']>;
  /** The bodies that these refer to. */
  readonly bodies?: readonly Type<object>[];
};
