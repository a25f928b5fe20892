/** The commands for a running local run: `npm run dev:clock`, `dev:comment`, `dev:fault` and `dev:receiver`. */
import { clockCommand } from './dev/commands/clock.ts';
import { type DevCommand, UsageError } from './dev/commands/command.ts';
import { commentCommand } from './dev/commands/comment.ts';
import { faultCommand } from './dev/commands/fault.ts';
import { receiverCommand } from './dev/commands/receiver.ts';

const commands: Readonly<Record<string, DevCommand>> = {
  clock: clockCommand,
  comment: commentCommand,
  fault: faultCommand,
  receiver: receiverCommand,
};

/** @returns the exit code: 1 if it cannot be done, 2 if the words are wrong */
async function main([name = '', ...words]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`there is no command ${name}: use one of ${Object.keys(commands).join(', ')}`);
    return 2;
  }
  if (words.some((word) => word === '--help' || word === '-h')) {
    console.log(command.help);
    return 0;
  }
  try {
    await command.run(words);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (!isUsageError(error)) return 1;
    console.error(`See npm run dev:${name} -- --help`);
    return 2;
  }
}

const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  String((error as { readonly code?: unknown } | undefined)?.code).startsWith('ERR_PARSE_ARGS_');

process.exitCode = await main(process.argv.slice(2));
