/** Reads the files that CDK's bucket deployments put into buckets. */
import { globSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as z from 'zod';
import type { UploadedFile } from '../model.ts';
import { readProperties } from './read-properties.ts';
import type { Resources } from './stacks.ts';

const absent = z.undefined({ error: 'the local cloud does not support this property' });
const deployment = z.object({
  SourceObjectKeys: z.array(z.string().regex(/^[0-9a-f]+\.zip$/)),
  DestinationBucketName: z.string(),
  SystemMetadata: z.record(z.string(), z.string()).default({}),
  DestinationBucketKeyPrefix: absent,
  Exclude: absent,
  Include: absent,
  SourceMarkers: z.array(z.strictObject({})).optional(),
  UserMetadata: absent,
});

/**
 * Reads every file with its key and headers. Files of the asset folders are unchanged, because CDK zips them only when it
 * publishes.
 */
export function readUploads(resources: Resources): readonly UploadedFile[] {
  return resources.ofType('Custom::CDKBucketDeployment').flatMap((resource) => {
    const { SourceObjectKeys, DestinationBucketName, SystemMetadata } = readProperties(resource, deployment);
    return SourceObjectKeys.flatMap((key) => {
      const folder = join(resource.directory, `asset.${key.replace(/\.zip$/, '')}`);
      return globSync('**/*', { cwd: folder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          const name = relative(folder, file).split(sep).join('/');
          return { bucketName: DestinationBucketName, key: name, file, headers: SystemMetadata };
        });
    });
  });
}
