import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../bin/admin/main.ts';
import { projectRoot } from './shell.ts';

/** A section of the runbook: an incident. */
export interface RunbookSection {
  readonly title: string;
  /** The admin commands that it prints, each once, with placeholders such as `<post id>`. */
  readonly commands: readonly string[];
}

/** The first words of the admin commands. */
const nouns = new Set(Object.keys(commands).map((name) => name.split(' ')[0]));

/** The admin commands in the blocks of a document, each once. */
export const printedCommandsOf = (document: string): string[] => [
  ...new Set(commandsInBlocks(readFileSync(join(projectRoot, document), 'utf8'))),
];

/** The sections of the runbook, with the commands in their texts and blocks. */
export function runbookSections(): RunbookSection[] {
  const [, ...sections] = readFileSync(join(projectRoot, 'docs/runbook.md'), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    title: section.split('\n')[0] ?? '',
    commands: [...new Set([...commandsInText(section), ...commandsInBlocks(section)])],
  }));
}

const block = /^ *```.*?^ *```$/gms;

function commandsInText(section: string): string[] {
  const spans = [...section.replaceAll(block, '').matchAll(/`([^`]+)`/g)];
  return spans
    .map(([, span = '']) => span.replaceAll(/\s+/g, ' '))
    .filter((span) => nouns.has(span.split(' ')[0]));
}

/** The local run is no stage. */
function commandsInBlocks(section: string): string[] {
  const lines = (section.match(block) ?? []).flatMap((text) => text.split('\n'));
  return lines.flatMap((line) => {
    const [, command] = /^ *npm run admin -- ([^#]*)/.exec(line) ?? [];
    return command === undefined ? [] : [command.replace(' --stage production', '').trim()];
  });
}

/**
 * Splits a printed command into arguments, as a shell does, with values for its placeholders.
 *
 * @param values by the names of the placeholders, such as `post id`
 * @throws Error if a placeholder has no value
 */
export function argumentsOf(command: string, values: Readonly<Record<string, string>>): string[] {
  const words = command.match(/"[^"]*"|(?:<[^>]+>|[^\s<])+/g) ?? [];
  return words.map((word) => {
    if (word.startsWith('"')) return word.slice(1, -1);
    return word.replaceAll(/<([^>]+)>/g, (_placeholder, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${command}: there is no ${name}`);
      return value;
    });
  });
}
