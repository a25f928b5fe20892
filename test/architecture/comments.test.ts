import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const parts = ['bin', 'functions', 'infra', 'lib', 'test'];
const maxShare = 0.02;

const clauses = 'What|Whatever|Whether|How|When|Where|Which|Why|Who|Whom|Whose';
const prepositions =
  'About|Above|Across|After|Against|Among|Around|As|At|Before|Behind|Below|Beside|Besides|Between|Beyond|By|During|' +
  'For|From|In|Into|Like|Near|Of|On|Over|Per|Since|Through|To|Toward|Towards|Under|Until|Upon|Via|With|Within|Without';
const hardStart = new RegExp(`^(?:${clauses}|${prepositions})\\b`);
const plainStart = /^(?:At (?:most|least)|In (?:milliseconds|seconds|minutes|hours|days|bytes))\b/;

interface DocComment {
  readonly line: number;
  readonly start: string;
  /** True if it begins with a noun clause or a bare preposition. */
  readonly isHard: boolean;
}

/** Finds the doc comments of a source text. A pattern of files in a string, such as `lib/**`, is none. Pure. */
function docCommentsIn(source: string): DocComment[] {
  return [...source.matchAll(/(?<![^\s({[,<|])\/\*\*\s+(?:\* ?)?(?<text>[\s\S]*?)\*\//g)].map((match) => {
    const start = (match.groups?.['text'] ?? '').split('\n')[0]?.trim() ?? '';
    return {
      line: source.slice(0, match.index).split('\n').length,
      start,
      isHard: hardStart.test(start) && !plainStart.test(start),
    };
  });
}

const advice = `
Begin with a noun phrase for a type, field or constant, with a verb in the third person for a function, and with "True if"
for a boolean. If the name already says it, delete the comment. For example:
  not   Whether the worker of a message must look for siblings.
  but   Returns true if other targets of the post may be due at the same time.
  not   How long to wait for the response.
  but   Time to wait for the response.`;

describe('doc comments', () => {
  it.each(parts)('begin in plain English in %s', (part) => {
    const comments = globSync(`${part}/**/*.{ts,tsx,js,mjs}`, {
      cwd: root,
      exclude: (path) => /(^|\/)node_modules$/.test(path),
    })
      .sort()
      .flatMap((file) =>
        docCommentsIn(readFileSync(join(root, file), 'utf8')).map((comment) => ({ file, ...comment })),
      );
    const hard = comments.filter(({ isHard }) => isHard);
    const list = hard.map(({ file, line, start }) => `${file}:${line}: ${start}`).join('\n');

    expect(comments.length).toBeGreaterThan(0);
    expect(
      hard.length / comments.length,
      `${hard.length} of ${comments.length} begin with a noun clause or a preposition:\n${list}\n${advice}\n`,
    ).toBeLessThanOrEqual(maxShare);
  });
});

describe('the search for doc comments', () => {
  it.each([
    ['a noun clause', '/** Whether it is due. */', ['1: Whether it is due.']],
    ['a bare preposition', '/** Of the post and its time. */', ['1: Of the post and its time.']],
    ['several lines', 'a;\n\n  /**\n   * How long it\n   * takes.\n   */\n', ['3: How long it']],
    ['a parameter', 'f(/** By id. */ posts)', ['1: By id.']],
    ['two comments', '/** When due. */\n/** A time. */\n/** Why. */', ['1: When due.', '3: Why.']],
    ['a noun phrase', '/** The time at which it is due. */', []],
    ['a verb', '/** Returns what is left. */', []],
    ['a longer word', '/** Whatsoever. Ink. Tokens. */', []],
    ['a maximum', '/** At most 20. */', []],
    ['a unit', '/** In milliseconds. */', []],
    ['other comments', '// What else\n/* What else */', []],
    ['patterns of files', "glob('lib/**/*.ts'); glob('**/ What */')", []],
  ])('judges %s', (_, source, expected) => {
    const hard = docCommentsIn(source).filter(({ isHard }) => isHard);
    expect(hard.map(({ line, start }) => `${line}: ${start}`)).toEqual(expected);
  });
});
