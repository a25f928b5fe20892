import { unknownKeys } from '../../api-contract/unknown-keys.ts';
import type { Json } from '../../kernel/json.ts';
import { isSameName } from '../../kernel/nearest-name.ts';
import { optionField, type PlatformOptions, type RuleProblem } from '../../platforms/contract/rules.ts';

/**
 * Checks the names of a destination's options. An option of the platform that the service does not offer is a problem; a name
 * that neither has is a warning, with the name that was probably meant.
 *
 * @param platform the platform's title
 */
export function checkOptionNames(
  { schema, notOffered, otherNames = {} }: PlatformOptions,
  given: { readonly [key: string]: Json },
  platform: string,
): { readonly problems: RuleProblem[]; readonly warnings: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const warnings: RuleProblem[] = [];
  for (const { path, nearest } of unknownKeys(schema, given)) {
    const field = optionField(path);
    const isNamed = (option: string) => path.length === 1 && isSameName(option, String(path[0]));
    const [, instead] = Object.entries(otherNames).find(([option]) => isNamed(option)) ?? [];
    if (instead !== undefined) {
      problems.push({
        field,
        code: 'option_not_supported',
        message: `is not supported; use ${instead} instead`,
      });
    } else if (notOffered.some(isNamed)) {
      problems.push({ field, code: 'option_not_supported', message: 'is not supported; leave it out' });
    } else {
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      warnings.push({
        field,
        code: 'option_unknown',
        message: `is not an option of ${platform} and is ignored${hint}`,
      });
    }
  }
  return { problems, warnings };
}
