import { readFile, rm } from 'node:fs/promises';
import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import type { S3Reply, S3Request } from './request.ts';
import { receiveBody } from './upload.ts';
import { deleteObject, type WriteDependencies } from './write-object.ts';
import { elementsNamed, unescapeText, xmlDocument } from './xml.ts';

/** The maximum size of the body: enough for 1,000 keys of 1,024 bytes with their XML. */
const maximumBytes = 2 * 1024 * 1024;
const maximumKeys = 1000;

/** Runs DeleteObjects. Like S3, handles each key separately, so a refused key does not affect the others. */
export async function deleteObjects(
  dependencies: WriteDependencies,
  bucket: BucketResource,
  request: S3Request,
): Promise<S3Reply> {
  const xml = await readXml(dependencies, request);
  const keys = elementsNamed(xml, 'Object').flatMap((object) =>
    elementsNamed(object, 'Key').map(unescapeText),
  );
  if (keys.length === 0 || keys.length > maximumKeys) {
    throw new AwsError(
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    );
  }
  const isQuiet = elementsNamed(xml, 'Quiet')[0] === 'true';
  const deleted: { Key: string }[] = [];
  const errors: { Key: string; Code: string; Message: string }[] = [];
  for (const key of keys) {
    try {
      await deleteObject(dependencies, bucket, key, request);
      deleted.push({ Key: key });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      errors.push({ Key: key, Code: error.code, Message: error.message });
    }
  }
  return {
    httpStatus: 200,
    headers: { 'content-type': 'application/xml' },
    body: xmlDocument('DeleteResult', { Deleted: isQuiet ? [] : deleted, Error: errors }),
  };
}

/** Reads a body of XML. @throws AwsError if it is too long */
export async function readXml({ store }: WriteDependencies, request: S3Request): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) {
    throw new AwsError('MalformedXML', 'The XML you provided is too long.');
  }
  const file = store.newFile();
  await receiveBody(request.body, request.headers, file);
  const xml = await readFile(file, 'utf8');
  await rm(file, { force: true });
  return xml;
}
