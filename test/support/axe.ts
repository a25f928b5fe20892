import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Returns the violations that axe-core finds in a page: rule, element and advice. It does not look into frames.
 *
 * @param runOnly the rules; all by default
 * @param ignored rules that do not fit the page
 */
export async function runAxe(
  page: Page,
  runOnly?: RunOptions['runOnly'],
  ignored: readonly string[] = [],
): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(ignored.map((rule) => [rule, { enabled: false }])),
    ...(runOnly && { runOnly }),
  };
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
