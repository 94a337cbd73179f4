/** English: the enquiry form. */
import type { enquirySpanish } from './phrases-es-enquiry.ts'

export const enquiryEnglish: typeof enquirySpanish = {
  ask: 'Send an enquiry',
  askShort: 'Enquiry',
  title: (agency) => `Ask ${agency}`,
  opening: (isListing) =>
    isListing ? 'Hello, I am interested in this property. Could we arrange a viewing?' : '',
  name: 'Your name',
  email: 'Email',
  phone: 'Phone',
  oneWay: 'Leave at least one of the two, so that they can reply.',
  message: 'Message',
  leaveEmpty: 'Leave this field empty',
  consent: (agency) =>
    `What you write is sent by email to ${agency}, so that they can reply. This site does not keep it.`,
  send: 'Send',
  wrong: 'Check the following:',
  nameMissing: 'Enter your name.',
  nameOdd: 'Enter a shorter name, without special characters.',
  wayMissing: 'Leave an email or a phone number.',
  emailOdd: 'Enter a full email, such as ana@example.com.',
  phoneOdd: 'Enter a phone number in digits, such as +54 11 5555-0142.',
  messageMissing: 'Enter your message.',
  messageOdd: (most) => `Enter up to ${most} characters of text.`,
  stale: 'The form could not be verified. Send the enquiry again.',
  gone: (agency) => `This listing is no longer available. You can still send your enquiry to ${agency}.`,
  limited: 'Too many enquiries were sent. Try again later, or get in touch another way.',
  sent: 'Enquiry sent',
  sentText: (agency) => `${agency} gets it by email and will reply to you directly.`,
  back: 'Back to the property',
  test: 'This is a test environment: the enquiry is not sent to anyone.',
}
