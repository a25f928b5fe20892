import { describe, expect, it } from 'vitest';
import { type Command, type Commands, operatorCommand, plainCommand } from '../../../bin/admin/command.ts';
import { helpFor, parseCommand } from '../../../bin/admin/command-line.ts';
import { countTo, readDurationMs } from '../../../bin/admin/values.ts';

const run = async () => {};

const commands: Commands = {
  'boat list': operatorCommand({ verb: 'queue.read', summary: 'list boats', run }),
  'boat sell': operatorCommand({
    verb: 'queue.redrive',
    words: { boatId: {}, price: { read: countTo(1_000), default: '1' } },
    options: {
      to: { value: 'buyer', isRequired: true, summary: 'who buys it' },
      note: { value: 'text', summary: 'what the bill says' },
    },
    summary: 'sell a boat',
    run,
  }),
  'boat load': operatorCommand({
    verb: 'queue.redrive',
    words: { boatId: {}, crate: { isRepeated: true } },
    options: {
      within: { value: 'duration', read: readDurationMs, default: '1h', summary: 'time that it may take' },
      quick: { summary: 'in any order' },
    },
    summary: 'load a boat',
    run,
  }),
  stop: plainCommand({
    isRead: true,
    options: { harbour: { value: 'name', summary: 'only this one' } },
    summary: 'stop',
    runPlain: async () => 0,
  }),
  'stop list': operatorCommand({ verb: 'queue.read', summary: 'list stops', run }),
};

const parse = (line: string) => parseCommand(commands, line.split(' ').filter(Boolean));
const named = (name: string): Command => commands[name] as Command;

describe('a line of npm run admin', () => {
  it.each([
    ['boat sell 7 --to Ann', 'boat sell', { boatId: '7', price: 1 }, { to: 'Ann' }],
    [
      '--to Ann boat --note=cheap sell 7 100',
      'boat sell',
      { boatId: '7', price: 100 },
      { to: 'Ann', note: 'cheap' },
    ],
    ['boat load 7', 'boat load', { boatId: '7', crate: [] }, { within: 3_600_000, quick: false }],
    [
      'boat load 7 tea --quick rum --within 5m',
      'boat load',
      { boatId: '7', crate: ['tea', 'rum'] },
      { within: 300_000, quick: true },
    ],
    ['stop', 'stop', {}, {}],
    ['stop --harbour Kiel', 'stop', {}, { harbour: 'Kiel' }],
    ['stop list', 'stop list', {}, {}],
  ])('%s names a command, its words and its options', (line, name, words, options) => {
    expect(parse(line)).toEqual({
      state: 'run',
      command: named(name),
      words,
      options,
      stage: undefined,
      isJson: false,
    });
  });

  it.each(['--json boat list', 'boat list --json'])('%s wants the result as JSON', (line) => {
    expect(parse(line)).toMatchObject({ state: 'run', isJson: true, options: {} });
  });

  it('reads the stage before and after the command', () => {
    expect(parse('--stage prod boat list')).toMatchObject({ state: 'run', stage: 'prod' });
    expect(parse('boat list --stage prod')).toMatchObject({ state: 'run', stage: 'prod' });
  });

  it.each([
    [
      'boat paint',
      'Unknown command "boat paint". There are: boat list, boat sell, boat load.',
      'boat --help',
    ],
    ['boat', 'boat is not a command by itself. There are: boat list, boat sell, boat load.', 'boat --help'],
    ['paint', 'Unknown command "paint".', '--help'],
    // What every object of JavaScript has.
    ['constructor', 'Unknown command "constructor".', '--help'],
    ['toString --json', 'Unknown command "toString".', '--help'],
    ['__proto__', 'Unknown command "__proto__".', '--help'],
    ['stop --constructor x', 'stop has no option --constructor.', 'stop --help'],
    ['boat sell --to Ann', 'boat sell needs <boat id>.', 'boat sell --help'],
    ['boat sell 7 many --to Ann', 'price: must be a whole number from 1 to 1000', 'boat sell --help'],
    ['boat sell 7 1001 --to Ann', 'price: must be a whole number from 1 to 1000', 'boat sell --help'],
    ['boat load 7 --within soon', 'within: must be a duration, such as 30m', 'boat load --help'],
    ['boat load 7 --quick=yes', 'boat load: --quick takes no value.', 'boat load --help'],
    ['boat load', 'boat load needs <boat id>.', 'boat load --help'],
    ['boat sell 7', 'boat sell needs --to <buyer>.', 'boat sell --help'],
    ['boat list --to Ann', 'boat list has no option --to.', 'boat list --help'],
    ['boat sell 7 --to Ann --to Bob', 'boat sell: --to is given twice.', 'boat sell --help'],
    ['boat sell -5GB --to Ann', 'boat sell: a number must not be negative.', 'boat sell --help'],
    ['boat list -w', 'boat list has no option -w.', 'boat list --help'],
    ['boat list --wide', 'boat list has no option --wide.', 'boat list --help'],
    ['boat sell 7 --to', 'boat sell: --to needs <buyer>.', 'boat sell --help'],
    ['boat sell 7 --to --note x', 'boat sell: --to needs <buyer>.', 'boat sell --help'],
    ['boat sell 7 --to=', 'boat sell: --to needs <buyer>.', 'boat sell --help'],
    ['boat list --stage', 'boat list: --stage needs <name>.', 'boat list --help'],
    [
      'stop Kiel',
      'stop: unexpected argument "Kiel". Put quotes around arguments with spaces.',
      'stop --help',
    ],
  ])('%s is refused, with what is wrong and where help is', (line, problem, help) => {
    const parsed = parse(line);
    expect(parsed).toEqual({ state: 'wrong', problem: expect.stringContaining(problem), help });
  });

  it.each([
    ['', ''],
    ['--help', ''],
    ['boat --help', 'boat'],
    ['boat sell -h', 'boat sell'],
    ['boat sell --to Ann --help', 'boat sell'],
    ['stop --help', 'stop'],
  ])('%s asks for help', (line, about) => {
    expect(parse(line)).toEqual({ state: 'help', about });
  });
});

describe('the help text', () => {
  it('of a command describes its words and its options', () => {
    const text = helpFor(commands, 'boat sell');
    expect(text).toContain('npm run admin -- boat sell <boat id> [<price>] --to <buyer> [--note <text>]');
    expect(text).toMatch(/^ {2}--to <buyer> +who buys it$/m);
    expect(text).toMatch(/^ {2}--note <text> +what the bill says$/m);
    expect(text).toMatch(/^ {2}--stage <name> +the deployed stage/m);
    expect(text).not.toContain('--harbour');
  });

  it('of a command describes its defaults and words that may be repeated', () => {
    const text = helpFor(commands, 'boat load');
    expect(text).toContain('boat load <boat id> [<crate> …] [--within <duration>] [--quick]');
    expect(text).toMatch(/^ {2}--within <duration> +time that it may take; default: 1h$/m);
  });

  it.each([
    ['boat list', true],
    ['boat sell', false],
    ['stop', true],
  ])('of %s says that it changes nothing: %s', (name, isSaid) => {
    expect(helpFor(commands, name).includes('It changes nothing.')).toBe(isSaid);
  });

  it('of a noun lists its commands only', () => {
    expect(helpFor(commands, 'boat')).toContain('boat list');
    expect(helpFor(commands, 'boat')).not.toContain('stop');
  });

  it('of a command that is also a noun names its other commands', () => {
    expect(helpFor(commands, 'stop')).toContain('--harbour <name>');
    expect(helpFor(commands, 'stop')).toContain('stop list');
  });

  it('without a known command lists all', () => {
    for (const name of Object.keys(commands)) expect(helpFor(commands, '')).toContain(name);
  });
});
