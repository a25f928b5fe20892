import { describe, expect, it } from 'vitest';
import { helpText, parseCommand, UsageError } from './arguments.ts';

describe('the command line', () => {
  it.each([
    [
      [],
      { kind: 'run', from: 1, count: 1_000, keepGoing: false, shrinks: true, directory: '.local/simulation' },
    ],
    [['--seeds', '100000', '--from', '7'], { kind: 'run', from: 7, count: 100_000 }],
    [['--workers', '3', '--keep-going'], { kind: 'run', workers: 3, keepGoing: true }],
    [['--no-shrink', '--save', 'there'], { kind: 'run', shrinks: false, directory: 'there' }],
    [
      ['--bug', 'silence counts as proof that nothing went live'],
      { bug: 'silence counts as proof that nothing went live' },
    ],
    [['--replay', '12'], { kind: 'replay', source: { seed: 12 }, all: false }],
    [
      ['--replay', 'a/seed-12.json', '--all'],
      { kind: 'replay', source: { file: 'a/seed-12.json' }, all: true },
    ],
    [['--shrink', '12'], { kind: 'shrink', source: { seed: 12 }, directory: '.local/simulation' }],
    [['--crash-points'], { kind: 'crash-points' }],
    [['--acts'], { kind: 'acts' }],
    [['--local-cloud'], { kind: 'local-cloud' }],
    [['--help', '--seeds', 'many'], { kind: 'help' }],
  ])('reads %j', (line, expected) => {
    expect(parseCommand(line)).toMatchObject(expected);
  });

  it.each([
    [['--seeds', 'many'], '--seeds must be a whole number from 1, not many'],
    [['--seeds', '0'], '--seeds must be a whole number from 1, not 0'],
    [['--workers', '0'], '--workers must be a whole number from 1, not 0'],
    [['--replay', 'x'], '--replay must be a seed (a whole number) or a .json file, not x'],
    [['--replay', '1', '--shrink', '1'], '--shrink cannot be used with --replay'],
    [['--replay', '1', '--seeds', '9'], '--seeds cannot be used with --replay'],
    [['--all'], '--all needs --replay'],
    [['--sedes', '3'], "Unknown option '--sedes'"],
    [['3'], "Unexpected argument '3'"],
    [['--bug', 'mine'], '--bug must be one of these, not mine:'],
  ])('refuses %j with a message', (line, message) => {
    expect(() => parseCommand(line)).toThrow(UsageError);
    expect(() => parseCommand(line)).toThrow(message);
  });

  it('is described by the help, option by option', () => {
    const described = [...helpText.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option]) => option);
    const used = new Set([...helpText.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => option));
    expect(new Set(described)).toEqual(used);
    expect(helpText).toContain('\n       npm run simulate -- --replay S|FILE [--all] [--bug NAME]\n');
  });
});
