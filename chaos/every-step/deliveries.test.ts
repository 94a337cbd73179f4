/** Every step of every delivery fails once, in each way: all cases of test/faults/, where `npm test` runs a sample. */
process.env['FAULTS'] = 'every'
await import('../../test/faults/every-delivery.test.ts')
