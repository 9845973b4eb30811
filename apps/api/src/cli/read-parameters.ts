import { type ParseArgsConfig, parseArgs } from 'node:util';
import { WrongWords } from './wrong-words.ts';

/** Like `parseArgs`, but reports errors in words for people. */
export function readParameters<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [words = '', ...lines] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new WrongWords(words, lines);
  }
}
