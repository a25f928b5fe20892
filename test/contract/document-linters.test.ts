import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe } from 'vitest';
import { type Lint, testWithLinter } from './document-linters.ts';

const lint: Lint = async (document) => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
};

describe('Redocly with the rules "recommended"', () => testWithLinter(lint));
