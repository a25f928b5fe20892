import { describe, expect, it } from 'vitest';
import { helpText, parseCommand } from './arguments.ts';

describe('the command line', () => {
  it.each([
    [[], { kind: 'run', from: 1, count: 1_000, keepGoing: false, shrinks: true }],
    [['--seeds', '100000', '--from', '7'], { kind: 'run', from: 7, count: 100_000 }],
    [['--workers', '3', '--keep-going'], { kind: 'run', workers: 3, keepGoing: true }],
    [['--no-shrink', '--state', 'there'], { kind: 'run', shrinks: false, directory: 'there' }],
    [
      ['--bug', 'silence counts as proof that nothing went live'],
      { bug: 'silence counts as proof that nothing went live' },
    ],
    [['--resume', '--workers', '1'], { kind: 'resume', workers: 1, directory: '.local/simulation' }],
    [['--replay', '12'], { kind: 'replay', source: { seed: 12 }, all: false }],
    [
      ['--replay', 'a/seed-12.json', '--all'],
      { kind: 'replay', source: { file: 'a/seed-12.json' }, all: true },
    ],
    [['--shrink', '12'], { kind: 'shrink', source: { seed: 12 } }],
    [['--crash-points'], { kind: 'crash points' }],
    [['--local-cloud'], { kind: 'local cloud' }],
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
    [['--resume', '--seeds', '9'], '--seeds cannot be used with --resume'],
    [['--all'], '--all needs --replay'],
    [['--sedes', '3'], "Unknown option '--sedes'"],
    [['3'], "Unexpected argument '3'"],
    [['--bug', 'mine'], '--bug must be one of these, not mine:'],
  ])('refuses %j with a message', (line, message) => {
    expect(parseCommand(line)).toEqual({ kind: 'wrong', message: expect.stringContaining(message) });
  });

  it('is described by the help, option by option', () => {
    const described = [...helpText.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, option]) => option);
    const used = new Set([...helpText.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => option));
    expect(new Set(described)).toEqual(used);
  });
});
