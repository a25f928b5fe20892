import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType, Resource as SpecResource } from '@aws-cdk/service-spec-types';

/** The types of CloudFormation's resources, with their properties and attributes: AWS's own database. */
export interface ResourceTypes {
  /**
   * Finds a type.
   *
   * @returns undefined if the type does not exist
   */
  find(type: string): SpecResource | undefined;
  /** Returns the properties of the type that a reference names. */
  propertiesOf(reference: Extract<PropertyType, { type: 'ref' }>): Readonly<Record<string, Property>>;
}

/** Loads the database of the package `@aws-cdk/aws-service-spec`, which takes about a second. */
export function loadResourceTypes(): ResourceTypes {
  const database = loadAwsServiceSpecSync();
  return {
    find: (type) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0],
    propertiesOf: ({ reference }) => database.get('typeDefinition', reference).properties,
  };
}
