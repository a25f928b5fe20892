import { describe, expect, it } from 'vitest';
import { failurePattern, isFailure, readLine, textOf } from '../../../bin/admin/tail.ts';
import { functionOf } from '../../../lib/aws/stage-logs.ts';

const read = (line: object) => readLine('relay', JSON.stringify(line));
const failed = {
  level: 'WARN',
  message: 'a destination failed',
  timestamp: '2026-03-01T12:00:00.000Z',
  postId: 'p-1',
  platform: 'threads',
  code: 'app_refused',
  service: 'relay',
};

describe('a log line', () => {
  it('is shown with its time, its function and the ids of its work', () => {
    const line = read(failed);
    expect(line && textOf(line)).toBe(
      '2026-03-01T12:00:00.000Z  WARN   relay  a destination failed  postId=p-1  platform=threads  code=app_refused',
    );
  });

  it('shows what its error says', () => {
    const line = read({
      level: 'ERROR',
      message: 'it broke',
      error: { name: 'Error', message: 'no', stack: 'x' },
    });
    expect(line && textOf(line)).toBe('ERROR  relay  it broke  error=no');
  });

  it('shows an error of several lines as one', () => {
    const line = read({
      level: 'ERROR',
      message: 'it broke',
      error: { message: '[\n  {\n    "code": 7\n  }\n]' },
    });
    expect(line && textOf(line)).toBe('ERROR  relay  it broke  error=[ { "code": 7 } ]');
  });

  it('shows every number, such as how much work was overdue', () => {
    const line = read({
      level: 'WARN',
      message: 'overdue work was found',
      targets: 0,
      repairs: 2,
      text: 'Hi',
    });
    expect(line && textOf(line)).toBe('WARN   relay  overdue work was found  targets=0  repairs=2');
  });

  it.each([
    ['a metric', '{"_aws":{},"DestinationsFailed":1}'],
    ['the start of an invocation', 'START RequestId: 1'],
    ['a report', '{"type":"platform.report","record":{}}'],
  ])('that is %s is left out', (_, line) => {
    expect(readLine('relay', line)).toBeUndefined();
  });

  it.each([
    [failed, true],
    [{ level: 'WARN', message: 'x' }, true],
    [{ level: 'ERROR', message: 'x' }, true],
    [{ level: 'INFO', message: 'a target was processed' }, false],
  ])('%j is a failure: %s', (given, expected) => {
    const line = read(given);
    expect(line && isFailure(line)).toBe(expected);
  });

  it('is found in CloudWatch by the same rule', () => {
    expect(failurePattern).toContain('($.level = "ERROR")');
    expect(failurePattern).toContain('($.level = "WARN")');
  });
});

it.each([
  ['herald-dev-workers-publishtargetlog1A2B3C4D-xyz', 'publishtarget'],
  ['/some/other', '/some/other'],
])('the function of the log group %s is %s', (group, name) => {
  expect(functionOf(group)).toBe(name);
});
