import Sequencer from '@jest/test-sequencer';

/** In milliseconds, for a file that has not run here yet: whole services take long, and their size does not tell it. */
const guesses = [
  [/\/test\/acceptance\/killed\.engine\.spec\.ts$/, 400_000],
  // Not beside that one: ten processes each are too many for two cores, and what else there is waits most of the time.
  [/\/test\/acceptance\/scattered\.engine\.spec\.ts$/, 49_000],
  [/\/test\/acceptance\/.*\.(e2e|engine)\.spec\.ts$/, 200_000],
  [/\/(test|apps\/all)\/.*\.(e2e|process|engine)\.spec\.ts$/, 50_000],
  [/\.(int|e2e|process|engine)\.spec\.ts$/, 5_000],
];

const expectedOf = ({ path, duration }) => duration ?? guesses.find(([pattern]) => pattern.test(path))?.[1] ?? 1_000;

/** The longest first, so that no worker is left alone with a long one at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => expectedOf(other) - expectedOf(one));
  }
}
