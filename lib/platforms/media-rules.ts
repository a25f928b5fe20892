import type { DescribedMedia, RuleProblem } from './rules.ts';

/** A platform's limits of one file; what is absent is not limited. */
export interface FileLimits {
  readonly contentTypes: readonly string[];
  readonly bytes: number;
  readonly seconds?: { readonly least: number; readonly most: number };
  /** Width divided by height. */
  readonly ratio?: { readonly least: number; readonly most: number };
}

/** Checks what is known of a file. @param noun what the platform makes of it, such as `a reel` */
export function fileProblems(
  field: string,
  file: DescribedMedia,
  limits: FileLimits,
  noun: string,
): RuleProblem[] {
  const problems: string[] = [];
  const { contentType, sizeBytes, durationSeconds, widthPixels, heightPixels } = file;
  if (contentType !== undefined && !limits.contentTypes.includes(contentType.toLowerCase())) {
    problems.push(`${noun} must be ${limits.contentTypes.join(' or ')}, not ${contentType}`);
  }
  if (sizeBytes !== undefined && sizeBytes > limits.bytes) {
    problems.push(`${noun} may have at most ${limits.bytes / 1_048_576} MiB`);
  }
  const { seconds, ratio } = limits;
  if (seconds && durationSeconds !== undefined && !within(durationSeconds, seconds)) {
    problems.push(`${noun} must last from ${seconds.least} to ${seconds.most} seconds`);
  }
  // A hundredth of slack: pixels are whole, ratios are not.
  if (ratio && widthPixels && heightPixels && !within(widthPixels / heightPixels, ratio, 0.01)) {
    problems.push(`${noun} must have a width-to-height ratio from ${ratio.least} to ${ratio.most}`);
  }
  return problems.map((message) => ({ field, message }));
}

function within(value: number, { least, most }: { least: number; most: number }, slack = 0): boolean {
  return value >= least - slack && value <= most + slack;
}
