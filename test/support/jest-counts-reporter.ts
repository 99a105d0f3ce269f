import { writeFileSync } from 'node:fs';
import type { AggregatedResult, Reporter } from '@jest/reporters';

const leftOut = ({ testResults }: AggregatedResult): string[] =>
  testResults.flatMap((file) =>
    file.testResults.filter((test) => test.status === 'pending' || test.status === 'todo').map((test) => test.fullName),
  );

/** Writes the exact numbers of a run to the file that TEST_COUNTS names. A file that cannot run is one failure. */
export default class CountsReporter implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    if (!process.env.TEST_COUNTS) return;
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      leftOut: leftOut(results),
    };
    writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
  }
}
