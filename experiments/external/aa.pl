#!/usr/bin/env perl
# AA, apriori-based anonymization: M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving Anonymization of Set-valued
# Data", VLDB 2008, Algorithms 3 and 4, on a count-tree that is built. The built-in `aa` gives the same cut without the
# tree; the readings of what the paper leaves open are those of src/publish/km/.
#
# A program of the protocol of docs/external-algorithms.md; needs nothing beyond what comes with Perl.

use strict;
use warnings;
use JSON::PP;
use Time::HiRes qw(time);

if (grep { $_ eq '--version' } @ARGV) {
    print "aa.pl 1.0\n";
    exit;
}
$| = 1;
my $json = JSON::PP->new->utf8->canonical;

sub say_message { print $json->encode({@_}), "\n" }

sub refuse {
    say_message(refuse => join '', @_);
    exit;
}

# --- What is given -----------------------------------------------------------------------------------------------------

my $request = $json->decode(do { local $/; <STDIN> });
my ($k, $m) = @{ $request->{parameters} }{qw(k m)};
my $input = $request->{input};
refuse('there is no hierarchy over the items') unless $input->{hierarchy};

# The lines of a CSV file after its header, as lists of fields.
sub read_csv {
    my ($path) = @_;
    open my $file, '<', $path or die "cannot read $path: $!";
    my $text = do { local $/; <$file> };
    my (@lines, @fields);
    while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|\z)/g) {
        my ($field, $end) = (defined $1 ? $1 =~ s/""/"/gr : $2, $3);
        push @fields, $field;
        next if $end eq ',';
        push @lines, [@fields] if @fields > 1 || length $fields[0];
        @fields = ();
        last if $end eq '' || pos($text) == length $text;
    }
    shift @lines;
    return @lines;
}

# Nodes are numbered as the file lists them: leaves first, the root last.
my @nodes = read_csv($input->{hierarchy});
my %number = map { $nodes[$_][0] => $_ } 0 .. $#nodes;
my @label = map { $_->[0] } @nodes;
my @parent = map { $_->[1] eq '' ? undef : $number{ $_->[1] } } @nodes;
my $root = $#nodes;
my %is_inner = map { $_ => 1 } grep { defined } @parent;
my $leaves = grep { !$is_inner{$_} } 0 .. $#nodes;

sub path_to_root {
    my ($node) = @_;
    my @path;
    for (; defined $node; $node = $parent[$node]) { push @path, $node }
    return @path;
}

my @path = map { [path_to_root($_)] } 0 .. $root;
my @covers = map { my %above = map { $_ => 1 } @{ $path[$_] }; \%above } 0 .. $root;    # [below]{above}
my @below = map { [] } 0 .. $root;
for my $leaf (0 .. $leaves - 1) { push @{ $below[$_] }, $leaf for @{ $path[$leaf] } }

my @transactions;
{
    open my $file, '<', $input->{transactions} or die "cannot read $input->{transactions}: $!";
    while (my $line = <$file>) { push @transactions, [map { $number{$_} } split ' ', $line] }
}
refuse('there are ', scalar @transactions, " transactions, fewer than k = $k") if @transactions < $k;
refuse('there is an empty transaction') if grep { !@$_ } @transactions;

# --- Supports and losses -----------------------------------------------------------------------------------------------

# Which transactions have something below a node, as bits; and how often each item occurs.
my @rows = map { '' } 0 .. $root;
my @occurrences = (0) x $leaves;
for my $row (0 .. $#transactions) {
    for my $item (@{ $transactions[$row] }) {
        $occurrences[$item]++;
        vec($rows[$_], $row, 1) = 1 for @{ $path[$item] };
    }
}

sub support {
    my ($first, @others) = @_;
    my $common = $rows[$first];
    $common &= $rows[$_] for @others;
    return unpack '%32b*', $common;
}

# The information loss of a cut (item to node), times the number of items and of occurrences: a whole number.
sub loss {
    my ($cut) = @_;
    my $loss = 0;
    for my $item (0 .. $leaves - 1) {
        my $size = @{ $below[ $cut->[$item] ] };
        $loss += $occurrences[$item] * $size if $size > 1;
    }
    return $loss;
}

# Section 4.1: nodes by decreasing support; then those with more items below, nearer to the root, of smaller number.
my @order = sort {
    support($b) <=> support($a) || @{ $below[$b] } <=> @{ $below[$a] } || @{ $path[$a] } <=> @{ $path[$b] } || $a <=> $b
} 0 .. $root - 1;
my @rank;
@rank[@order] = 0 .. $#order;

# --- The count-tree ----------------------------------------------------------------------------------------------------

my $cut = [0 .. $leaves - 1];

# Whether `node` lies strictly below the cut.
sub is_generalized {
    my ($node) = @_;
    my $published = $cut->[ $below[$node][0] ];
    return $published != $node && $covers[$node]{$published};
}

# The tree of all sets of exactly `size` items and generalized items, none of them generalized already.
sub count_tree {
    my ($size) = @_;
    my %tree;
    for my $transaction (@transactions) {
        my %expanded;
        for my $item (@$transaction) { $expanded{$_} = 1 for @{ $path[$item] } }
        delete $expanded{$root};
        my @ranks = sort { $a <=> $b } map { $rank[$_] } grep { !is_generalized($_) } keys %expanded;
        insert(\%tree, $size, \@ranks, 0, []);
    }
    return \%tree;
}

sub insert {
    my ($tree, $size, $ranks, $first, $chosen) = @_;
    RANK: for my $i ($first .. $#$ranks) {
        my $node = $order[ $ranks->[$i] ];
        for my $other (@$chosen) { next RANK if $covers[$node]{$other} || $covers[$other]{$node} }
        if ($size == 1) {
            $tree->{ $ranks->[$i] }++;
        }
        else {
            # A branch without leaves would be no path of this size.
            my $branch = $tree->{ $ranks->[$i] } // {};
            insert($branch, $size - 1, $ranks, $i + 1, [@$chosen, $node]);
            $tree->{ $ranks->[$i] } = $branch if %$branch;
        }
    }
}

# --- Algorithms 3 and 4 ------------------------------------------------------------------------------------------------

my $mended = 0;

# Visits the tree in preorder and mends every path of support below k.
sub direct {
    my ($tree, @nodes) = @_;
    for my $rank (sort { $a <=> $b } keys %$tree) {
        return if grep { is_generalized($_) } @nodes;
        my $node = $order[$rank];
        next if is_generalized($node);
        if (ref $tree->{$rank}) { direct($tree->{$rank}, @nodes, $node) }
        elsif ($tree->{$rank} < $k) { mend(@nodes, $node) }
    }
}

# Of all ways to generalize items of a violated set so that its support reaches k, the one of least loss; then of the fewest
# nodes climbed; then of the smallest climbs of the first items.
sub mend {
    my @violated = @_;
    $mended++;
    my @climbs = (0) x @violated;
    my $best;
    while (1) {
        my $i = $#climbs;
        $i-- while $i >= 0 && $climbs[$i] == $#{ $path[ $violated[$i] ] };
        last if $i < 0;
        $climbs[$i]++;
        @climbs[$i + 1 .. $#climbs] = (0) x ($#climbs - $i);
        my @images = map { $path[ $violated[$_] ][ $climbs[$_] ] } 0 .. $#violated;
        # A rule moves everything below it: an item under another's image has that image too.
        next if grep { my $above = $_; grep { $_ != $above && $covers[$_]{$above} } @images } @images;
        next if support(@images) < $k;
        my @solution = @$cut;
        my %climbed;
        for my $j (grep { $climbs[$_] } 0 .. $#violated) {
            my $image = $images[$j];
            # What is published above it already stays there.
            for my $item (@{ $below[$image] }) { $solution[$item] = $image unless $covers[$image]{ $solution[$item] } }
            $climbed{$_} = 1 for @{ $path[ $violated[$j] ] }[1 .. $climbs[$j]];
        }
        my @candidate = (loss(\@solution), scalar(keys %climbed), [@climbs], \@solution);
        $best = \@candidate if !$best || before(\@candidate, $best);
    }
    $cut = $best->[3];
}

sub before {
    my ($ours, $theirs) = @_;
    return $ours->[0] < $theirs->[0] if $ours->[0] != $theirs->[0];
    return $ours->[1] < $theirs->[1] if $ours->[1] != $theirs->[1];
    for my $i (0 .. $#{ $ours->[2] }) {
        return $ours->[2][$i] < $theirs->[2][$i] if $ours->[2][$i] != $theirs->[2][$i];
    }
    return 0;
}

my ($counting, $search) = (0, 0);
for my $size (1 .. $m) {
    my $start = time;
    my $tree = count_tree($size);
    $counting += time - $start;
    $start = time;
    direct($tree);
    $search += time - $start;
}
say_message(phase => 'counting', seconds => $counting);
say_message(phase => 'search', seconds => $search);
say_message(counter => 'mended_itemsets', value => $mended);

# --- The release -------------------------------------------------------------------------------------------------------

sub field {
    my ($text) = @_;
    return $text =~ /[",\r\n]/ ? '"' . ($text =~ s/"/""/gr) . '"' : $text;
}

open my $out, '>', "$request->{output}/transactions.dat" or die "cannot write: $!";
for my $transaction (@transactions) {
    my %published = map { $cut->[$_] => 1 } @$transaction;
    print $out join(' ', sort { $a <=> $b } keys %published), "\n";
}
close $out or die "cannot write: $!";
open $out, '>', "$request->{output}/cut.csv" or die "cannot write: $!";
print $out "item,id,node\n";
print $out join(',', field($label[$_]), $cut->[$_], field($label[ $cut->[$_] ])), "\n" for 0 .. $leaves - 1;
close $out or die "cannot write: $!";
