import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe } from 'vitest';
import { type Lint, testWithLinter } from '../../contract/document-linters.ts';

const lint: Lint = async (document) => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas] } as Parameters<typeof linter.setRuleset>[0]);
  const problems = await linter.run(structuredClone(document));
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`);
};

describe('Spectral with the rules "spectral:oas"', () => testWithLinter(lint));
