import { ApiOperation } from '@nestjs/swagger';

const described =
  (more: object) =>
  (operationId: string, summary: string, description?: string): MethodDecorator =>
    ApiOperation({ operationId, summary, ...(description !== undefined && { description }), ...more });

/** What a route is called in the document, and what it is for. */
export const Described = described({});

/** The same of a route that asks for no key and no token in a header. */
export const DescribedOpen = described({ security: [] });
