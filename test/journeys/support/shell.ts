import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const projectRoot = join(import.meta.dirname, '../../..');

/** A section of a document, with its fenced blocks. */
export interface Section {
  readonly title: string;
  /** The commands of its blocks of `sh`. */
  readonly commands: string;
  /** Its block of `text`: what the commands print. Empty if there is none. */
  readonly output: string;
}

/** The sections of a document, by its headings of the second level. @param path from the project's root */
export function sectionsOf(path: string): Section[] {
  const [, ...sections] = readFileSync(join(projectRoot, path), 'utf8').split(/^## /m);
  return sections.map((section) => {
    const blocks = (language: string) =>
      [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
        ([, text = '']) => text,
      );
    return {
      title: section.split('\n')[0] ?? '',
      commands: blocks('sh').join('\n'),
      output: blocks('text').join('\n'),
    };
  });
}

/** Runs commands in a shell, as somebody pastes them who has the project's Node on the path. */
export function runInShell(
  commands: string,
  { dataDirectory, cwd = projectRoot }: { readonly dataDirectory: string; readonly cwd?: string },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  // Skip start-up files: if its input is a socket, bash may treat itself as a remote shell and read them.
  return promisify(execFile)('bash', ['--norc', '-e', '-u', '-c', commands], {
    cwd,
    env: { ...process.env, PATH, DATA_DIR: dataDirectory },
  });
}
