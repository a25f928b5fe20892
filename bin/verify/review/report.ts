/** The report of a walk through a review, as Markdown. Pure. */
import { platformTitles } from '../../../lib/platforms/contract/names.ts';
import type { Point, ReviewFacts } from './checklist.ts';

const marks: Readonly<Record<Point['state'], string>> = { ok: '[x]', missing: '[ ]', look: '[ ] by hand:' };

/** Returns the lines of the checklist: first what is missing, then what only a person can see, then what is done. */
export function checklistLines(points: readonly Point[]): string[] {
  return (['missing', 'look', 'ok'] as const).flatMap((state) =>
    points.filter((point) => point.state === state).map(({ text }) => `- ${marks[state]} ${text}`),
  );
}

/** Returns the report. @param startedMs epoch milliseconds */
export function reviewReport(
  { platform, stage, results }: Pick<ReviewFacts, 'platform' | 'stage' | 'results'>,
  points: readonly Point[],
  scopes: readonly string[],
  startedMs: number,
): string {
  const title = platformTitles[platform];
  return `# The review of ${title}

Walked on ${new Date(startedMs).toISOString().slice(0, 16).replace('T', ' ')} UTC against the simulator of ${title}, with the features of the stage ${stage}. The platform
itself was not asked: its consent page and its posts are those of the simulator. docs/platforms/${platform}-review.md has the texts for the forms.

Permissions: ${scopes.map((scope) => `\`${scope}\``).join(', ')}

## Checklist

${checklistLines(points).join('\n')}

## What to record

${results.map(stepSection).join('\n\n')}
`;
}

function stepSection(
  { step, state, picture, problem }: ReviewFacts['results'][number],
  index: number,
): string {
  return [
    `### ${index + 1}. ${step.title}`,
    ...(state === 'shown' ? [] : [`**${state === 'failed' ? `Failed: ${problem}` : 'Not reached.'}**`]),
    step.record,
    ...(picture === undefined ? [] : [`![${step.title}](${picture})`]),
  ].join('\n\n');
}
