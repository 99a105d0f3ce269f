import { Readable } from 'node:stream';
import {
  Body,
  type CanActivate,
  Controller,
  Get,
  Module,
  Param,
  Post,
  Query,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsBoolean, IsNumber, ValidateNested } from 'class-validator';
import { Crowded } from '#platform/gate';
import { orFailed } from '../../answers/index.ts';
import { authenticationErrors, createDepositErrors } from '../../errors/index.ts';
import { IsText, Optional, OptionalOrNull } from '../../rules/rules.ts';
import { RefusesUntypedBodies } from '../body-manners.ts';
import { OnlyReads } from '../only-reads.ts';
import { UncheckedWhenAbsent } from '../validation.pipe.ts';

class Fee {
  @IsNumber()
  percent!: number;
}

class Sample {
  @IsText({ min: 1, max: 10 })
  name!: string;

  @Optional()
  @IsBoolean()
  flag?: boolean;

  @OptionalOrNull()
  @IsText()
  email?: string | null;

  @Optional()
  @ValidateNested({ each: true })
  @Type(() => Fee)
  fees?: Fee[];
}

@UncheckedWhenAbsent()
class LenientSample {
  @IsBoolean()
  flag?: boolean;
}

class SampleQuery {
  @IsText({ min: 1 })
  entity_id!: string;
}

class Closed implements CanActivate {
  canActivate(): boolean {
    throw authenticationErrors.missing();
  }
}

@Controller('sample')
class SampleController {
  @Post('strict')
  strict(@Body() body: Sample): Sample {
    return body;
  }

  @Post('lenient')
  lenient(@Body() body: LenientSample): LenientSample {
    return body;
  }

  @Post('raw')
  raw(@Body() body: unknown): unknown {
    return body;
  }

  @Post('bodyless')
  bodyless(): object {
    return {};
  }

  @Post('closed')
  @UseGuards(new Closed())
  closed(@Body() body: Sample): Sample {
    return body;
  }

  @Get('large')
  large(): StreamableFile {
    return new StreamableFile(Readable.from(Array(1_000).fill(Buffer.alloc(64_000))));
  }

  @Get('list')
  list(@Query() query: SampleQuery): SampleQuery {
    return query;
  }

  @Get('broken')
  broken(): never {
    throw new Error('the password is hunter2');
  }

  @Get('failed')
  failed(): Promise<never> {
    return orFailed(Promise.reject(new Error('the password is hunter3')), createDepositErrors.failed);
  }

  @Get('unconnected')
  unconnected(): never {
    throw new Error('timeout exceeded when trying to connect');
  }

  @Post('unconnected')
  unconnectedPost(): never {
    return this.unconnected();
  }

  @Get('unanswered')
  unanswered(): never {
    throw new Error('Query read timeout');
  }

  @Post('unanswered')
  unansweredPost(): never {
    return this.unanswered();
  }

  @Post('read-unanswered')
  @OnlyReads()
  readUnanswered(): never {
    return this.unanswered();
  }

  @Post('crowded')
  crowded(): never {
    throw new Crowded('too many wait already');
  }

  @Get('slow/:ms')
  async slow(@Param('ms') ms: string): Promise<{ slept: string }> {
    await new Promise((resolve) => setTimeout(resolve, Number(ms)).unref());
    return { slept: ms };
  }

  @Get('id/:id')
  id(@Param('id') id: string): { length: number } {
    return { length: id.length };
  }
}

class SampleOptions {
  @Optional()
  @IsBoolean()
  flag?: boolean;
}

@Controller('typed')
@RefusesUntypedBodies()
class TypedController {
  readonly #done: string[] = [];

  @Post('options')
  options(@Body() body: SampleOptions): SampleOptions {
    this.#done.push('options');
    return body;
  }

  @Post('bodyless')
  bodyless(): object {
    this.#done.push('bodyless');
    return {};
  }

  @Get('done')
  done(): readonly string[] {
    return this.#done;
  }

  @Get('list')
  list(@Query() query: SampleQuery): SampleQuery {
    return query;
  }
}

/** Endpoints to try the house rules of HTTP on. */
@Module({ controllers: [SampleController, TypedController] })
export class SampleModule {}
