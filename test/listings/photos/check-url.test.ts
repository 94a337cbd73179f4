/** Checks of a photo's URL that need no request (api.md 13.1). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assert as check, constantFrom, nat, oneof, property } from 'fast-check'
import { checkPhotoUrl, isPublicIp } from '../../../src/listings/photos/check-url.ts'

const nothing = { hosts: [], origins: [] }

const accepted = [
  'https://photos.example/1.jpg',
  'HTTPS://Photos.Example/1.jpg?width=800#top',
  'https://photos.example:443/1.jpg',
  'https://photos.example./1.jpg',
  'https://photos.example/una foto.jpg',
  'https://fotos.españa.example/ñandú.jpg',
  'https://93.184.216.34/1.jpg',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/1.jpg',
  'https://mylocalhost.example/1.jpg',
  'https://local.example/1.jpg',
  `https://photos.example/${'a'.repeat(2_048 - 'https://photos.example/'.length)}`,
]

const refused: Record<string, string[]> = {
  'a relative or invalid URL': [
    '',
    '1.jpg',
    '/1.jpg',
    '//photos.example/1.jpg',
    'photos.example/1.jpg',
    'https:photos.example/1.jpg',
    'https://',
    'https:///photos.example/1.jpg',
    'https://\\\\photos.example/1.jpg',
    'https://?photos.example',
    'https://%/1.jpg',
    'https://1.2.3.256/',
  ],
  'another scheme': [
    'http://photos.example/1.jpg',
    'ftp://photos.example/1.jpg',
    'file:///etc/passwd',
    'gopher://photos.example/',
    'data://image/png,x',
    'blob:https://photos.example/1',
    'javascript:alert(1)',
  ],
  credentials: [
    'https://user@photos.example/1.jpg',
    'https://user:secret@photos.example/1.jpg',
    'https://:secret@photos.example/1.jpg',
    'https://photos.example@127.0.0.1/1.jpg',
  ],
  'another port': [
    'https://photos.example:80/1.jpg',
    'https://photos.example:8443/1.jpg',
    'https://93.184.216.34:22/',
    'https://photos.example:0/',
  ],
  'too long': [`https://photos.example/${'a'.repeat(2_049 - 'https://photos.example/'.length)}`],
  'control characters and surrounding spaces': [
    ' https://photos.example/1.jpg',
    'https://photos.example/1.jpg\n',
    'https://photos\t.example/1.jpg',
    'https://127.0.\n0.1/',
    'https://photos.example/\u0000',
  ],
  'names of the machine or the internal network': [
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://%6c%6fcalhost/',
    'https://ⓛocalhost/',
    'https://a.localhost/',
    'https://a.localhost./',
    'https://printer.local/',
    'https://printer.local./',
    'https://local/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./computeMetadata/v1/',
    'https://internal/',
  ],
  'IPv4, dotted': [
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.255.255.254/',
    'https://0.0.0.0/',
    'https://0.1.2.3/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://100.127.255.255/',
    'https://192.0.0.192/',
    'https://192.0.2.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://192.88.99.1/',
    'https://198.18.0.1/',
    'https://198.19.255.255/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://168.63.129.16/',
    'https://192.31.196.1/',
    'https://192.52.193.1/',
    'https://192.175.48.1/',
  ],
  'IPv4 in other notations': [
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7F.0.0.1/',
    'https://0x7f.0x0.0x0.0x1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0177.0.0.01/',
    'https://127.1/',
    'https://127.0.1/',
    'https://0/',
    'https://0x0/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://10.1/',
    'https://0xc0a80001/',
    'https://3232235521/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
  ],
  IPv6: [
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[fe80::1]/',
    'https://[febf::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[ff0e::1]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    'https://[2001:2::1]/',
    'https://[2001:10::1]/',
    'https://[2001:20::1]/',
    'https://[5f00::1]/',
    'https://[4000::1]/',
    'https://[2620:4f:8000::1]/',
  ],
  'IPv6 that contains an IPv4': [
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[::93.184.216.34]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::93.184.216.34]/',
    'https://[64:ff9b:1::169.254.169.254]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:5db8:d822::1]/',
    'https://[2001::1]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  ],
}

describe('checkPhotoUrl', () => {
  for (const url of accepted) {
    test(`accepts ${url.slice(0, 60)}`, () => assert.equal(checkPhotoUrl(url, nothing), null))
  }
  for (const [what, urls] of Object.entries(refused)) {
    for (const url of urls) {
      test(`refuses ${what}: ${JSON.stringify(url.slice(0, 60))}`, () => {
        assert.match(checkPhotoUrl(url, nothing) ?? '', /^[A-Z].*\.$/)
      })
    }
  }

  test('allows private addresses of allowed hosts, on their port only, but not plain http', () => {
    const allow = { hosts: ['127.0.0.1:9000', '[::1]:9001', 'photos.local:80', 'minio:443'], origins: [] }
    for (const url of [
      'https://127.0.0.1:9000/1.jpg',
      'https://0x7f.1:9000/',
      'https://[0::1]:9001/',
      'https://photos.local:80/',
      'https://minio/',
    ]) {
      assert.equal(checkPhotoUrl(url, allow), null, url)
    }
    for (const url of [
      'http://127.0.0.1:9000/1.jpg',
      'http://photos.local/',
      'http://minio:443/',
      'https://127.0.0.1:9001/',
      'https://127.0.0.1/',
      'https://127.0.0.2:9000/',
      'ftp://127.0.0.1:9000/',
      'https://u:p@127.0.0.1:9000/',
      'https://photos.local/',
    ]) {
      assert.notEqual(checkPhotoUrl(url, allow), null, url)
    }
  })

  test('allows the service itself as a source if its origin is given', () => {
    const allow = { hosts: [], origins: ['http://127.0.0.1:3000', 'not an origin'] }
    assert.equal(checkPhotoUrl('http://127.0.0.1:3000/samples/1.jpg', allow), null)
    for (const url of [
      'https://127.0.0.1:3000/',
      'http://127.0.0.1:3001/',
      'http://localhost:3000/',
      'http://127.0.0.1/',
    ]) {
      assert.notEqual(checkPhotoUrl(url, allow), null, url)
    }
  })
})

describe('isPublicIp', () => {
  test('judges an IPv4 in any notation', () => {
    const octet = oneof(nat(255), constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 224))
    check(
      property(octet, octet, octet, octet, (a, b, c, d) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        const octal = (part: number): string => `0${part.toString(8)}`
        const notations = [
          `${a}.${b}.${c}.${d}`,
          `${a}.${b}.${c}.${d}.`,
          String(number),
          `0x${number.toString(16)}`,
          octal(number),
          `${a}.${number % 0x1000000}`,
          `${a}.${b}.${c * 256 + d}`,
          [a, b, c, d].map(octal).join('.'),
          [a, b, c, d].map((part) => `0X${part.toString(16)}`).join('.'),
        ]
        const isPublic = isPublicIp(`${a}.${b}.${c}.${d}`)
        for (const notation of notations) {
          assert.equal(checkPhotoUrl(`https://${notation}/1.jpg`, nothing) === null, isPublic, notation)
        }
        for (const embedded of ['::', '::ffff:', '64:ff9b::', '64:ff9b:1::', '::ffff:0:']) {
          assert.notEqual(
            checkPhotoUrl(`https://[${embedded}${a}.${b}.${c}.${d}]/1.jpg`, nothing),
            null,
            embedded,
          )
        }
      }),
    )
  })

  test('accepts canonical IPs only', () => {
    for (const ip of ['8.8.8.8', '2606:4700::1111']) assert.equal(isPublicIp(ip), true, ip)
    for (const ip of [
      '',
      'photos.example',
      '8.8',
      '0x08080808',
      '134744072',
      'fe80::1%eth0',
      '::ffff:8.8.8.8',
      '::ffff:10.0.0.1',
      '[2606:4700::1111]',
      '8.8.8.8.',
    ]) {
      assert.equal(isPublicIp(ip), false, ip)
    }
  })
})
