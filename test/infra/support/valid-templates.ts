import { beforeAll, describe, expect, it } from 'vitest';
import { exceededLimits } from '../../../infra/templates/limits.ts';
import { loadResourceTypes, type ResourceTypes } from '../../../infra/templates/resource-types.ts';
import { readTemplates, type Templates } from '../../../infra/templates/template.ts';
import { validateTemplates } from '../../../infra/templates/validate.ts';

/**
 * Registers the tests of a variant's templates.
 *
 * @param assembly returns the folder of the variant's assembly
 */
export function describeTemplates(variant: string, stage: string, assembly: () => string): void {
  describe(`the templates of ${variant}`, () => {
    let types: ResourceTypes;
    let templates: Templates;
    beforeAll(() => {
      types = loadResourceTypes();
      templates = readTemplates(assembly());
    });

    it('have only what CloudFormation knows', () => {
      expect(validateTemplates(templates, types)).toEqual([]);
    });

    it('have the tags of service and stage on every resource that can have tags', () => {
      const all = [...templates].flatMap(([stack, { Resources }]) =>
        Object.entries(Resources).map(([id, resource]) => ({ where: `${stack} ${id}`, resource })),
      );
      const untagged = all.filter(({ resource: { Type, Properties = {} } }) => {
        const property = types.find(Type)?.tagInformation?.tagPropertyName;
        if (property === undefined) return false;
        const tags = JSON.stringify(Properties[property] ?? '');
        return !/herald/.test(tags) || !tags.includes(stage);
      });
      expect(untagged.map(({ where, resource: { Type } }) => `${where} (${Type})`)).toEqual([]);
      const tables = all.filter(({ resource: { Type } }) => Type === 'AWS::DynamoDB::GlobalTable');
      for (const { resource } of tables)
        expect(JSON.stringify(resource.Properties?.['Replicas'])).toContain(
          `{"Key":"stage","Value":"${stage}"}`,
        );
    });

    it('are within the limits of AWS', () => {
      expect(exceededLimits(templates)).toEqual([]);
    });
  });
}
