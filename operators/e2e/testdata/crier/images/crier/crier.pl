# A store in a dozen lines: what a datagram says comes back in capitals.
use strict;
use warnings;
use IO::Socket::INET;

$| = 1;
my ($address, $port) = ($ENV{ADDRESS}, 9000);
my $socket = IO::Socket::INET->new(Proto => "udp", LocalAddr => $address, LocalPort => $port) or die "crier: $@\n";
print qq(ringside-proof {"server":"perl","class":"crier.pl","address":"$address","port":$port}\n);
while (defined $socket->recv(my $text, 2048)) {
    $socket->send(uc $text);
}
